// The two things that move by themselves in the picture: the playhead over one
// event (150 ms), and x from clock to causal spacing (250 ms). Rows never move.
// Under reduced motion nothing does.

import {Axis, blend} from './axis.ts';

const QUICK = 150, MOVE = 250;

const reduced = matchMedia('(prefers-reduced-motion: reduce)');
const ease = (part: number) => 1 - (1 - part) ** 3;

export class Motion {
  /** The moment that is drawn: the playhead's, or one on the way to it. */
  now = 0;

  private turning: {from: Axis; since: number} | null = null;
  private glide: {from: number; to: number; since: number} | null = null;

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

  /** Follows the playhead; `stepped`: it went over one event, so there is a way between. */
  step(axis: Axis, now: number, stepped: boolean): void {
    if (this.glide?.to !== now) this.glide = stepped && this.now !== now && !reduced.matches ? {from: this.now, to: now, since: performance.now()} : null;
    const part = this.glide ? (performance.now() - this.glide.since) / QUICK : 1;
    if (!this.glide || part >= 1) {
      this.glide = null;
      this.now = now;
      return;
    }
    const a = axis.x(this.glide.from), b = axis.x(this.glide.to);
    this.now = axis.t(a + (b - a) * ease(part));
    requestAnimationFrame(this.again);
  }
}
