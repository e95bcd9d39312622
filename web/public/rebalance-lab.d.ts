/** A scenario of Rebalance Lab in any page: `import './rebalance-lab.js'`. */
export class RebalanceLab extends HTMLElement {
  /** Address of a scenario; without it the text inside is played. */
  src: string | null;
  /** Where it opens, as the language writes times: `41s`, `8m`, `500ms`. Without it a moment that says something. */
  at: string | null;
  /** The group that is shown; without it the first one. */
  group: string | null;
  /** Where "Open in Rebalance Lab" leads; without it the folder of this module. */
  href: string | null;
  view: 'ownership' | 'messages';
  /** `auto` follows the page around it, and the system's wish for more contrast. */
  theme: 'auto' | 'light' | 'dark' | 'contrast';

  /** The text that is played; setting it plays another. */
  scenario: string;
  /** Seconds; the playhead. */
  readonly now: number;
  /** Seconds; the end of the run. */
  readonly end: number;
  readonly state: 'waiting' | 'loading' | 'ready' | 'error';

  play(): void;
  pause(): void;
  /** To a time in seconds. */
  seek(seconds: number): void;
  /** To the next event, or to the one before. */
  step(direction: 1 | -1): void;
  /** Carries out a line of the language at the playhead, on a new branch: `kill c3`. Rejects when that is not possible. */
  act(line: string): Promise<void>;
}

/** A fault of the text: lines and columns begin at 1. */
export interface ScenarioFault {
  line: number;
  column: number;
  endColumn: number;
  message: string;
}

declare global {
  interface HTMLElementTagNameMap {
    'rebalance-lab': RebalanceLab;
  }
  interface HTMLElementEventMap {
    'rebalance-ready': CustomEvent<{end: number}>;
    'rebalance-time': CustomEvent<{now: number}>;
    'rebalance-error': CustomEvent<{message: string; diagnostics: ScenarioFault[]}>;
  }
}
