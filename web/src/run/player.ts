// Playing: one frame at a time, never by itself, and still at the end.

import type {Run} from './run.ts';

/** `max` shows a moment for as long as one can see it. */
const GLIMPSE = 150;
const TENTH = 100_000;
/** A frame that took longer was a pause of the page, not of the group. */
const LONGEST_FRAME = 100;

export class Player {
  playing = false;

  /** Out of sight: nothing ticks, and the time that passes there does not count. */
  private resting = false;
  private frame = 0;
  private before = 0;
  private held = 0;

  constructor(private readonly run: Run) {}

  start(): void {
    const {run} = this;
    if (this.playing || !run.picture) return;
    if (run.now >= run.end) run.seek(0);
    this.playing = true;
    this.held = 0;
    this.rest(this.resting);
    run.changed();
  }

  /** It stands still on a time that one can read. */
  stop(): void {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.frame);
    if (this.run.now < this.run.end) this.run.seek(Math.round(this.run.now / TENTH) * TENTH);
    this.run.changed();
  }

  rest(resting: boolean): void {
    this.resting = resting;
    cancelAnimationFrame(this.frame);
    if (!this.playing || resting) return;
    this.before = performance.now();
    this.frame = requestAnimationFrame(this.tick);
  }

  private readonly tick = (at: number) => {
    if (!this.playing) return;
    const {run} = this, gone = Math.max(0, Math.min(LONGEST_FRAME, at - this.before));
    this.before = at;
    if (run.speed !== 'max') run.seek(run.now + gone * 1000 * run.speed);
    else if ((this.held += gone) >= GLIMPSE) {
      this.held = 0;
      run.seek(run.next());
    }
    if (run.now >= run.end) this.stop();
    else if (!this.resting) this.frame = requestAnimationFrame(this.tick);
  };
}
