// The routine heartbeats of the window that one sees. The engine plays such a
// window again, in pieces of 30 s, and only while the playhead rests.

import type {EngineEvent} from '../engine/types.ts';
import type {Run} from '../run/run.ts';
import type {Axis} from './axis.ts';

const PIECE = 30_000_000;
const REST = 150;
const NONE: EngineEvent[] = [];

export class Beats {
  private known: EngineEvent[] = NONE;
  private moved = {now: -1, at: 0, timer: 0};

  /** `again` asks for another look. */
  constructor(private readonly again: () => void) {}

  /** The same list as long as nothing came. */
  seen(run: Run, axis: Axis, from: number, to: number): EngineEvent[] {
    const first = Math.floor(axis.t(from) / PIECE), last = Math.floor(axis.t(to) / PIECE);
    const all: EngineEvent[] = [], calm = this.calm(run);
    for (let i = first; i <= last; i++) {
      const start = i * PIECE, end = Math.min(run.end, start + PIECE);
      if (end > start) all.push(...beatsOf(run.detail(start, end, calm)));
    }
    const {known} = this;
    if (known.length === all.length && known[0] === all[0] && known[known.length - 1] === all[all.length - 1]) return known;
    return (this.known = all);
  }

  /** While one scrubs, the engine answers for the sentence first. */
  private calm(run: Run): boolean {
    const {moved} = this;
    if (run.now !== moved.now) Object.assign(moved, {now: run.now, at: performance.now()});
    if (run.playing || performance.now() - moved.at >= REST) return true;
    clearTimeout(moved.timer);
    moved.timer = window.setTimeout(this.again, REST);
    return false;
  }
}

const beats = new WeakMap<readonly EngineEvent[], EngineEvent[]>();

function beatsOf(events: EngineEvent[]): EngineEvent[] {
  let found = beats.get(events);
  if (!found) beats.set(events, found = events.filter((e) => e.api === 'Heartbeat' && e.kind === 'request'));
  return found;
}
