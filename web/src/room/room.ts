// A room as a page sees it: it takes the room's lines in their order, plays
// them in its own engine, and compares digests. A host's page asks the room and
// does what the lines say, like everybody else's.

import {EngineDied, Refusal, type Engine} from '../engine/client.ts';
import type {Conductor} from '../run/conductor.ts';
import type {Diagnostic} from '../engine/types.ts';
import {askEdit} from '../run/edit.ts';
import type {Speed} from '../run/run.ts';
import type {SharedRun} from '../run/shared.ts';
import {titleOf} from '../title.ts';
import {words} from '../words.ts';
import {typed, type Clock, type FromRoom, type Line, type ToRoom} from './protocol.ts';
import {Wire} from './wire.ts';

/** Between two clock lines while it plays, ms. */
const BEAT = 100;
/** A host that drags takes everybody along, but not more often than the room takes, ms. */
const SEEKS = 120;
/** A host that drags shows its own hand for so long, ms. */
const OWN_HAND = 300;

/** Thousandths of real time; `max` is a hundred times. */
const RATES: Record<Speed, number> = {0.1: 100, 1: 1000, 10: 10_000, max: 100_000};

type State = 'joining' | 'here' | 'lost' | 'over';

/** A command that waits for its line. */
interface Asked {
  frame: ToRoom & {type: 'act' | 'edit'};
  resolve(): void;
  reject(error: Error): void;
}

export class Room implements Conductor {
  readonly code: string;
  state: State = 'joining';
  /** Why it was lost, or is over. */
  reason = '';
  host = false;
  here = 0;
  agree = 0;
  differ = 0;
  /** A viewer that looks around by itself does not follow. */
  following = true;
  /** The newest clock line, and whether this page's run is the room's there. */
  clock: Clock | null = null;
  agrees = true;

  /** The number of the newest line that came. */
  private taken = 0;
  private readonly wire: Wire;
  private queue: Line[] = [];
  private working = false;
  private asked: Asked[] = [];
  /** Commands whose lines are played, until the clock line after them is shown. */
  private played: Asked[] = [];
  private furthest = new Map<number, number>();
  private frame = 0;
  private soughtAt = -Infinity;
  private seekTimer = 0;
  private rest = 0;
  /** The branch of the newest act or edit. */
  private latest = 1;
  private wish = {branch: 1, at: 0};
  private healed = false;
  private filling = false;
  private followers = new Set<() => void>();

  constructor(private readonly run: SharedRun, private readonly engine: Engine, base: string, code: string, readonly token: string) {
    this.code = typed(code);
    run.conductor = this;
    const url = new URL(`ws/${encodeURIComponent(this.code)}`, base);
    url.protocol = url.protocol.replace('http', 'ws');
    this.wire = new Wire(url.href, token, {frame: (f) => this.take(f), lost: (reason, final) => this.lost(reason, final), last: () => this.taken});
  }

  follow(listener: () => void): () => void {
    this.followers.add(listener);
    return () => this.followers.delete(listener);
  }

  /** Leaves the room; the run stays as it is. */
  leave(): void {
    this.wire.close();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.seekTimer);
    clearTimeout(this.rest);
    for (const one of [...this.asked, ...this.played]) one.reject(new Refusal(words.room.left));
    if (this.run.conductor === this) this.run.conductor = null;
    this.run.changed();
  }

  // What the page asks for.

  get playing(): boolean {
    return this.state === 'here' && (this.clock?.rate ?? 0) > 0 && this.following;
  }

  act(branch: number, at: number, line: string): Promise<void> {
    return this.ask({type: 'act', branch, at, line});
  }

  edit(branch: number, text: string): Promise<void> {
    return this.ask({type: 'edit', branch, text});
  }

  private ask(frame: ToRoom & {type: 'act' | 'edit'}): Promise<void> {
    if (!this.host) return Promise.reject(new Refusal(words.room.onlyHost));
    if (this.state !== 'here') return Promise.reject(new Refusal(words.room.away));
    this.sendSeek(); // what is done now is done there
    return new Promise((resolve, reject) => {
      this.asked.push({frame, resolve, reject});
      this.wire.send(frame);
    });
  }

  play(speed: Speed): void {
    if (this.host) this.wire.send({type: 'play', rate: RATES[speed]});
    else this.resume();
  }

  pause(): void {
    if (this.host && this.clock?.rate) this.wire.send({type: 'pause'});
  }

  /** A host takes everybody along, a viewer looks around alone. */
  sought(branch: number, at: number): void {
    if (!this.host) {
      this.following = false;
      return this.changed();
    }
    this.soughtAt = performance.now();
    this.wish = {branch, at};
    this.seekTimer ||= window.setTimeout(() => this.sendSeek(), SEEKS);
  }

  private sendSeek(): void {
    if (this.seekTimer) this.wire.send({type: 'seek', ...this.wish});
    clearTimeout(this.seekTimer);
    this.seekTimer = 0;
  }

  /** A viewer goes back to where the room is. */
  resume(): void {
    this.following = true;
    if (this.clock) void this.show(this.clock);
    this.changed();
  }

  limit(branch: number): number {
    return this.host ? Infinity : this.furthest.get(branch) ?? 0;
  }

  // What the room says.

  private take(frame: FromRoom): void {
    switch (frame.type) {
      case 'welcome':
        Object.assign(this, {state: 'here', host: frame.host, reason: ''});
        if (frame.last < this.taken) this.taken = 0; // another room under this code
        return this.changed();
      case 'people':
        Object.assign(this, {here: frame.here, agree: frame.agree, differ: frame.differ});
        return this.changed();
      case 'refused':
        return this.refused(frame.about, frame.reason, frame.diagnostics);
      case 'end':
        return;
    }
    if (frame.n <= this.taken) return;
    this.taken = frame.n;
    // Of clock lines that wait only the newest counts.
    if (frame.type === 'clock') this.queue = this.queue.filter((l) => l.type !== 'clock');
    this.queue.push(frame);
    void this.work();
  }

  /** The room answers in order; a reason about nothing in particular is about the oldest. */
  private refused(about: string, reason: string, diagnostics: Diagnostic[] = []): void {
    const i = about ? this.asked.findIndex((a) => a.frame.type === about) : 0;
    if (this.asked[i]) this.asked.splice(i, 1)[0]!.reject(new Refusal(reason, diagnostics));
    else this.reason = reason;
    this.changed();
  }

  private lost(reason: string, final: boolean): void {
    Object.assign(this, {state: final ? 'over' : 'lost', reason});
    for (const one of this.asked.splice(0)) one.reject(new Refusal(words.room.away));
    if (final) {
      this.run.conductor = null; // everybody has a copy now
      if (this.played.length) void this.run.choose(this.latest);
      for (const one of this.played.splice(0)) one.resolve();
    }
    this.changed();
  }

  /** One line after the other. */
  private async work(): Promise<void> {
    if (this.working) return;
    this.working = true;
    try {
      for (let line; (line = this.queue.shift());) await this.apply(line);
    } catch (error) {
      // What the room could do this page could not: it is another run.
      if (error instanceof Refusal) this.heal();
      else if (!(error instanceof EngineDied)) throw error;
    } finally {
      this.working = false;
    }
  }

  private async apply(line: Line): Promise<void> {
    const {run, engine} = this;
    switch (line.type) {
      case 'scenario':
        this.furthest.clear();
        this.clock = null;
        return run.open('', titleOf(line.text) || words.link.untitled, line.text, 0);
      case 'act':
        this.became(line, await engine.act(line.branch, line.at, line.line).then((branch) => ({branch, scenario: run.scenarioOf(line.branch)!})));
        return this.answered(line);
      case 'edit':
        this.became(line, await askEdit(engine, line.branch, line.text));
        return this.answered(line);
      case 'clock':
        this.clock = line;
        this.furthest.set(line.branch, Math.max(line.at, this.furthest.get(line.branch) ?? 0));
        if (this.following) await this.show(line);
        for (const one of this.played.splice(0)) one.resolve();
        if (line.digest) await this.compare(line, line.digest);
        this.changed();
        if (!this.queue.length) void this.fill();
    }
  }

  private became(line: {branch: number; became: number}, {branch, scenario}: {branch: number; scenario: NonNullable<SharedRun['scenario']>}): void {
    if (branch !== line.became) this.heal();
    this.latest = branch;
    this.run.took(branch, scenario, line.branch);
  }

  /** This page's own command has come back as a line, if it is the same. */
  private answered(line: Line & {type: 'act' | 'edit'}): void {
    const mine = ({frame}: Asked) => frame.type === 'act' ? line.type === 'act' && frame.branch === line.branch && frame.at === line.at && frame.line === line.line
      : line.type === 'edit' && frame.branch === line.branch && frame.text === line.text;
    const i = this.asked.findIndex(mine);
    if (i >= 0) this.played.push(...this.asked.splice(i, 1));
  }

  /** The playhead goes where the clock is; while it plays, smoothly, and never past it. */
  private async show(clock: Clock): Promise<void> {
    const {run} = this;
    await run.showBranch(clock.branch);
    cancelAnimationFrame(this.frame);
    const hand = OWN_HAND - (performance.now() - this.soughtAt);
    if (this.host && hand > 0 && !clock.rate) {
      // The hand has gone on since; when it rests, the room's clock counts.
      clearTimeout(this.rest);
      this.rest = window.setTimeout(() => this.clock && this.following && void this.show(this.clock), hand);
      return;
    }
    const from = run.now, way = clock.at - from, began = performance.now();
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!clock.rate || way <= 0 || calm) return run.place(clock.at);
    const step = (now: number) => {
      const part = Math.min(1, Math.max(0, now - began) / BEAT);
      run.place(from + way * part);
      if (part < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  /** The other branches are played when there is nothing else to do, so that they can be compared. */
  private async fill(): Promise<void> {
    const {run} = this, missing = run.branches.find((b) => b.played < b.end && !run.pictures.has(b.id));
    if (this.filling || !missing || this.clock?.rate) return;
    this.filling = true;
    try {
      await run.peek(missing.id);
    } finally {
      this.filling = false;
    }
    void this.fill();
  }

  private async compare(clock: Clock, theirs: string): Promise<void> {
    const {digest} = await this.engine.view(clock.branch, clock.at);
    this.agrees = digest === theirs;
    this.wire.send({type: 'digest', n: clock.n, digest});
    if (this.agrees) this.healed = false;
    else this.heal();
  }

  /** Another run than the room's: once everything is told again. */
  private heal(): void {
    if (this.healed) return;
    this.healed = true;
    this.taken = 0;
    this.queue = [];
    this.wire.again();
  }

  private changed(): void {
    for (const listener of this.followers) listener();
    this.run.changed();
  }
}
