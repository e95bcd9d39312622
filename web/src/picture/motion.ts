// What moves by itself on the page besides the playhead: x from clock to causal
// spacing (250 ms), and bars that change hands. Rows never move. Under reduced
// motion nothing does.

import {type Axis, blend} from './axis.ts';
import {ease, QUICK, reduced} from './glide.ts';
import type {Row, RowSpan} from './rows.ts';

/** One reader's bar, and the one before it. */
export interface Handed {
  row: number;
  old: RowSpan | undefined;
  next: RowSpan;
}

export interface Hands {
  handed: Handed[];
  stage: 0 | 1 | 2;
  part: number;
}

const MOVE = 250;
/** Each of the three stages of an assignment: retract, hatch alone, grow. */
const STAGE = 200;

export class Motion {
  private last = 0;
  private turning: {from: Axis; since: number} | null = null;
  private handing: {from: number; to: number; since: number} | null = null;

  /** `again` asks for another frame. */
  constructor(private readonly again: () => void) {}

  get turns(): boolean {
    return this.turning !== null;
  }

  /** The axis of this frame; `before` is the one that it takes the place of. */
  turn(before: Axis | null, axis: Axis): Axis {
    if (before && !reduced.matches) this.turning = {from: before, since: performance.now()};
    if (!this.turning) return axis;
    const part = (performance.now() - this.turning.since) / MOVE;
    if (part >= 1) {
      this.turning = null;
      return axis;
    }
    requestAnimationFrame(this.again);
    return blend(this.turning.from, axis, ease(part));
  }

  /** The bars that changed hands with the last step, while that is shown. Only forward: back in time nothing is handed out. */
  hands(rows: readonly Row[], now: number, stepped: boolean): Hands | null {
    if (now !== this.last) {
      this.handing = stepped && now > this.last && !reduced.matches ? {from: this.last, to: now, since: performance.now() + QUICK} : null;
      this.last = now;
    }
    const h = this.handing;
    if (!h) return null;
    const handed = handedIn(rows, h.from, h.to), gone = performance.now() - h.since;
    if (!handed.length || gone >= 3 * STAGE) {
      this.handing = null;
      return null;
    }
    requestAnimationFrame(this.again);
    const stage = Math.max(0, Math.floor(gone / STAGE)) as 0 | 1 | 2;
    return {handed, stage, part: ease(Math.max(0, gone / STAGE - stage))};
  }
}

/** Readers that begin after one time and until another. */
export function handedIn(rows: readonly Row[], from: number, to: number): Handed[] {
  return rows.flatMap((row, i) => row.spans.flatMap((next, j) => {
    if (next.state !== 'reads' || next.from <= from || next.from > to) return [];
    return [{row: i, old: row.spans.slice(0, j).findLast((s) => s.state === 'reads'), next}];
  }));
}
