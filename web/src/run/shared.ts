// The page's run: in a room the host decides what happens, and everybody's page
// asks the room and does what its lines say.

import type {Conductor} from './conductor.ts';
import {Run, type Speed} from './run.ts';

export class SharedRun extends Run {
  /** Who decides in a room; null: this page. */
  conductor: Conductor | null = null;

  override get playing(): boolean {
    return this.conductor?.playing ?? super.playing;
  }

  override play(): void {
    if (this.conductor) this.conductor.play(this.speed);
    else super.play();
  }

  override stop(): void {
    if (this.conductor) this.conductor.pause();
    else super.stop();
  }

  override step(t: number): void {
    super.step(this.shown(t));
    this.conductor?.sought(this.branch, this.now);
  }

  override seek(t: number, keepNews = false): void {
    super.seek(this.shown(t), keepNews);
    this.conductor?.sought(this.branch, this.now);
  }

  /** Nobody sees more than the room has shown. */
  private shown(t: number): number {
    return Math.min(t, this.conductor?.limit(this.branch) ?? Infinity);
  }

  override async choose(branch: number): Promise<void> {
    const other = branch !== this.branch;
    await super.choose(branch);
    if (other) this.conductor?.sought(branch, this.now);
  }

  override async act(line: string): Promise<void> {
    if (!this.conductor) return super.act(line);
    const {branch, now} = this;
    this.stop();
    return this.conductor.act(branch, now, line);
  }

  override set(change: Parameters<Run['set']>[0] & {speed?: Speed}): void {
    super.set(change);
    if (change.speed !== undefined && this.conductor?.playing) this.play();
  }

  /** Where the room says that the playhead is. */
  place(t: number): void {
    if (t !== this.now) super.seek(t);
  }

  /** The branch that the room is on. */
  showBranch(branch: number): Promise<void> {
    return super.choose(branch);
  }
}
