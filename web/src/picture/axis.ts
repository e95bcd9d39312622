// The one x axis of both bands: time to pixels and back.
//
// Clock spacing is true to time; idle stretches fold to 20 px when the whole
// does not fit. Causal spacing gives each moment the same room. Both are a list
// of straight pieces, so everything else only asks x(t) and t(x).

import type {EngineEvent, GroupPicture, WaitSpan} from '../engine/types.ts';
import {SECOND} from '../format.ts';

export const PX_PER_SECOND = 15;
export const FOLD = 20;
/** The seconds may shrink to this before the picture scrolls. */
export const LEAST = 12;
/** A causal step. */
export const STEP = 28;
/** What stays open on either side of a fold. */
const PAD = 2 * SECOND;
const SHORTEST_FOLD = 4 * SECOND;
/** Waiting is the lesson: such a stretch folds only when it is longer than this, and last. */
const LONG_WAIT = 60 * SECOND;

export interface Fold {
  from: number;
  to: number;
}

export class Axis {
  /** Pieces between these points are straight; both ascend. */
  private constructor(private readonly ts: number[], private readonly xs: number[], readonly folds: Fold[], readonly causal: boolean) {}

  get width(): number {
    return this.xs[this.xs.length - 1]!;
  }

  get end(): number {
    return this.ts[this.ts.length - 1]!;
  }

  x(t: number): number {
    return between(this.ts, this.xs, t);
  }

  t(x: number): number {
    return Math.round(between(this.xs, this.ts, x));
  }

  /** A time that stands in a fold has no place of its own. */
  folded(t: number): boolean {
    return this.folds.some((f) => f.from < t && t < f.to);
  }

  get times(): readonly number[] {
    return this.ts;
  }

  static points(ts: number[], xs: number[], causal: boolean): Axis {
    return new Axis(ts, xs, [], causal);
  }

  static clock(end: number, width: number, folds: Fold[], least = LEAST): Axis {
    const open = end - folds.reduce((sum, f) => sum + f.to - f.from, 0);
    // Extra width goes to the seconds; too little shrinks them a bit, then the picture scrolls.
    const room = (width - folds.length * FOLD) / Math.max(1, open / SECOND);
    const scale = Math.max(least, room) / SECOND;
    const ts = [0], xs = [0];
    let t = 0, x = 0;
    const piece = (to: number, px: number) => {
      if (to <= t) return;
      x += px;
      t = to;
      ts.push(t);
      xs.push(x);
    };
    for (const f of folds) {
      piece(f.from, (f.from - t) * scale);
      piece(f.to, FOLD);
    }
    piece(end, (end - t) * scale);
    if (ts.length === 1) piece(Math.max(1, end), width);
    return new Axis(ts, xs, folds, false);
  }

  /** Each moment in which something happened gets the same step. */
  static causal(end: number, width: number, moments: number[]): Axis {
    const ts = [0, ...moments.filter((t) => t > 0 && t < end), Math.max(1, end)];
    const step = Math.max(STEP, width / (ts.length - 1));
    return new Axis(ts, ts.map((_, i) => i * step), [], true);
  }
}

/** On the way from one spacing to another; rows stay, only x moves. */
export function blend(a: Axis, b: Axis, part: number): Axis {
  const ts = [...new Set([...a.times, ...b.times])].sort((p, q) => p - q);
  return Axis.points(ts, ts.map((t) => a.x(t) + (b.x(t) - a.x(t)) * part), b.causal);
}

function between(from: number[], to: number[], v: number): number {
  let low = 1, high = from.length - 1;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (from[mid]! < v) low = mid + 1;
    else high = mid;
  }
  const a = from[low - 1]!, b = from[low]!, p = to[low - 1]!, q = to[low]!;
  return b === a ? p : p + (q - p) * (Math.min(Math.max(v, from[0]!), from[from.length - 1]!) - a) / (b - a);
}

/** The stretches that may fold, in order of time. */
export function idle(end: number, events: readonly EngineEvent[], group: GroupPicture | undefined): Fold[] {
  const times = [0, ...events.filter(interesting).map((e) => e.at), end];
  const folds: Fold[] = [];
  for (let i = 1; i < times.length; i++) {
    const from = times[i - 1]! + PAD, to = times[i]! - PAD;
    if (to - from >= SHORTEST_FOLD) folds.push(...aroundWaits({from, to}, group));
  }
  return folds;
}

/** Where a wait begins or ends something happens, although no event may say so. */
function aroundWaits(fold: Fold, group: GroupPicture | undefined): Fold[] {
  const cuts = (group?.waits ?? []).filter((w) => w.kind !== 'none').flatMap((w) => [w.from, w.to, w.since]).filter((t) => t > fold.from && t < fold.to);
  let from = fold.from;
  const parts: Fold[] = [];
  for (const cut of [...cuts.sort((a, b) => a - b), fold.to + PAD]) {
    if (cut - PAD - from >= SHORTEST_FOLD) parts.push({from, to: cut - PAD});
    from = Math.max(from, cut + PAD);
  }
  return parts;
}

/** Commits and polls go on all the time; they do not keep a stretch open. */
function interesting(e: EngineEvent): boolean {
  return !ROUTINE.has(e.kind) && !ROUTINE_API.has(e.api ?? '');
}

const ROUTINE = new Set(['polled', 'commit-sent', 'committed', 'record-appended', 'duplicates', 'position-reset']);
const ROUTINE_API = new Set(['Fetch', 'OffsetCommit', 'OffsetFetch', 'Metadata', 'ListOffsets']);

/** Folds only as much as is needed: outside of waits first, the longest first. */
export function chooseFolds(end: number, width: number, candidates: readonly Fold[], waits: readonly WaitSpan[] = [], scale = PX_PER_SECOND): Fold[] {
  const waiting = (f: Fold) => waits.some((w) => w.kind !== 'none' && w.from < f.to && w.to > f.from);
  const order = candidates
    .map((f) => ({f, late: waiting(f), length: f.to - f.from}))
    .filter((c) => !c.late || c.length > LONG_WAIT)
    .sort((a, b) => Number(a.late) - Number(b.late) || b.length - a.length);
  const chosen: Fold[] = [];
  let wide = end / SECOND * scale;
  for (const c of order) {
    if (wide <= width) break;
    wide += FOLD - c.length / SECOND * scale;
    chosen.push(c.f);
  }
  return chosen.sort((a, b) => a.from - b.from);
}

export interface Tick {
  t: number;
  x: number;
  label: string;
}

/** Round seconds, at least 40 px apart, none inside or right beside a fold. */
export function ticks(axis: Axis): Tick[] {
  if (axis.causal) return [];
  const step = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600].find((s) => s * (axis.x(axis.end) ? scaleOf(axis) : PX_PER_SECOND) >= 48) ?? 600;
  const found: Tick[] = [];
  for (let s = 0; s * SECOND <= axis.end; s += step) {
    const t = s * SECOND, x = axis.x(t);
    if (axis.folds.some((f) => x > axis.x(f.from) - 34 && x < axis.x(f.to) + 34)) continue;
    if (found.length && x - found[found.length - 1]!.x < 28) continue;
    found.push({t, x, label: s === 0 ? '0 s' : String(s)});
  }
  return found;
}

/** Pixels a second in the open stretches. */
function scaleOf(axis: Axis): number {
  const open = axis.end - axis.folds.reduce((sum, f) => sum + f.to - f.from, 0);
  return (axis.width - axis.folds.length * FOLD) / Math.max(1, open / SECOND);
}
