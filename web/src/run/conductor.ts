// Who decides what a run does next. Alone it is the page itself; in a room it
// is the host, and everybody's page does what the room's lines say.

import type {Speed} from './run.ts';

export interface Conductor {
  /** Whether this page may act, play and seek for all. */
  readonly host: boolean;
  readonly playing: boolean;
  /** Adds a command; done when the room has carried it out and this page shows it. */
  act(branch: number, at: number, line: string): Promise<void>;
  edit(branch: number, text: string): Promise<void>;
  play(speed: Speed): void;
  pause(): void;
  /** This page went somewhere else. */
  sought(branch: number, at: number): void;
  /** As far as the branch has been shown. */
  limit(branch: number): number;
}
