// The frames of a room, as server/room/protocol.go describes them.

import type {Diagnostic} from '../engine/types.ts';

export const PROTOCOL = 1;

export type Line =
  | {n: number; type: 'scenario'; text: string}
  | {n: number; type: 'act'; branch: number; at: number; line: string; became: number}
  | {n: number; type: 'edit'; branch: number; text: string; became: number}
  | Clock;

export interface Clock {
  n: number;
  type: 'clock';
  branch: number;
  at: number;
  rate: number;
  digest?: string;
}

export type FromRoom = Line
  | {type: 'welcome'; protocol: number; room: string; host: boolean; last: number}
  | {type: 'people'; here: number; agree: number; differ: number; at: number}
  | {type: 'refused'; about: string; reason: string; diagnostics?: Diagnostic[]}
  | {type: 'end'; code: number; reason: string};

export type ToRoom =
  | {type: 'join'; protocol: number; token?: string; after: number}
  | {type: 'digest'; n: number; digest: string}
  | {type: 'act'; branch: number; at: number; line: string}
  | {type: 'edit'; branch: number; text: string}
  | {type: 'open'; text: string}
  | {type: 'play'; rate: number}
  | {type: 'pause'}
  | {type: 'seek'; branch: number; at: number};

/** Close codes after which coming back is of no use. */
export const FINAL = new Set([4401, 4404, 4406, 4410]);

/** `4K7 2MX` for people. */
export const shown = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`;

/** What somebody typed as the server wants it. */
export const typed = (text: string) => text.toUpperCase().replace(/[\s-]/g, '');
