// The playhead moves over one event in 150 ms. Under reduced motion it steps.

import type {Axis} from './axis.ts';

export const QUICK = 150;

export const reduced = typeof matchMedia === 'undefined' ? {matches: true} : matchMedia('(prefers-reduced-motion: reduce)');
export const ease = (part: number) => 1 - (1 - part) ** 3;

export class Glide {
  /** The moment that is drawn: the playhead's, or one on the way to it. */
  now = 0;

  private glide: {from: number; to: number; since: number} | null = null;

  /** `again` asks for another frame. */
  constructor(private readonly again: () => void) {}

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
