// The page's run: in a room the host decides what happens, and everybody's page
// asks the room and does what its lines say.

import type {Conductor} from './conductor.ts';
import {Run, type Speed} from './run.ts';

export class SharedRun extends Run {
  /** Who decides in a room; null: this page. */
  conductor: Conductor | null = null;
  /** It came from a link that lost its end. */
  cut = false;

  override open(name: string, title: string, text: string, at?: number): Promise<void> {
    this.cut = false;
    return super.open(name, title, text, at);
  }

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

  /** Plays a branch without showing it. */
  async peek(branch: number): Promise<void> {
    const {pictures} = this, picture = await this.engine.play(branch);
    if (pictures !== this.pictures) return; // another scenario
    pictures.set(branch, picture);
    this.changed();
  }

  /** The branch that the room is on. */
  showBranch(branch: number): Promise<void> {
    return super.choose(branch);
  }
}
