// An event that was only counted, by its number.

import type {EngineEvent} from '../engine/types.ts';
import type {Run} from '../run/run.ts';

/** Long windows are asked for in pieces. */
const PIECE = 15_000_000;

/** The engine plays the window again in which it stands; undefined until it has answered. */
export function routine(run: Run, n: number): EngineEvent | undefined {
  const all = run.events;
  const i = all.findIndex((e) => e.n > n);
  const from = all[i - 1]?.at ?? 0, to = (i < 0 ? run.end : all[i]!.at) + 1;
  // The number is in one of the pieces, in order of time.
  for (let start = from; start < to; start += PIECE) {
    const events = run.detail(start, Math.min(to, start + PIECE));
    const found = events.find((e) => e.n === n);
    if (found) return found;
    if (!events.length || events[events.length - 1]!.n > n) return undefined;
  }
  return undefined;
}
