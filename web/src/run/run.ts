// The run: the one object that owns the scenario, its branches and the
// playhead. Everything else on the page draws it. It talks to the engine
// (client.ts) and tells its followers when something changed.

import {EngineDied, Refusal, type Engine} from '../engine/client.ts';
import type {Branch, Diagnostic, EngineEvent, Node, Picture, Scenario, View, Wait, WaitSpan} from '../engine/types.ts';
import {eventIndexAt, firstAfter, groupOf, lastBefore, waitAt} from './look.ts';
import {Hues} from '../identity.ts';
import {Player} from './player.ts';
import {situation, type Situation} from './situation.ts';

export type Spacing = 'clock' | 'causal';
export type Rows = 'partitions' | 'members';
export type Speed = 0.1 | 1 | 10 | 'max';
export const SPEEDS: Speed[] = [0.1, 1, 10, 'max'];

export interface Trouble {
  message: string;
  diagnostics: Diagnostic[];
  /** The worker is gone: the scenario can be played again. */
  died: boolean;
}

export type EngineLike = Pick<Engine, 'open' | 'play' | 'view' | 'detail' | 'act' | 'ask' | 'close' | 'died'>;

/** How long a broker that died keeps its leaderships. */
const SESSIONS = new Set(['broker.session.timeout.ms', 'zookeeper.session.timeout.ms']);

const NOTHING: EngineEvent[] = [];
const NO_HUES = new Hues([]);

export class Run {
  /** The name of the scenario in the gallery, and what its first two lines say. */
  name = '';
  title = '';
  text = '';

  /** What each branch is played from: an edited one has a scenario of its own. */
  private scenarios = new Map<number, {scenario: Scenario; hues: Hues}>();
  /** The branch that is shown next; it may still be played. */
  target = 1;
  /** Branches that are not what was shown of them, with their scenarios. */
  private changing = new Map<number, Scenario>();
  pictures = new Map<number, Picture>();
  branch = 1;
  now = 0;
  group = '';
  trouble: Trouble | null = null;
  loading = false;
  /** The beginning of the digest that a link promised; '' none. */
  shared = '';

  spacing: Spacing = 'clock';
  rows: Rows = 'partitions';
  speed: Speed = 1;
  /** An event that was picked in the list, 0 none. */
  picked = 0;
  /** What was just done, until the playhead moves: the page says so. */
  news: {branch: number; kept: number} | null = null;

  /** The newest View that the engine gave; it may be older than the playhead. */
  view: View | null = null;
  /** The View is more than 200 ms behind. */
  late = false;

  /** The index of the group whose log comes with the View, -1 none; the inspector says so. */
  logOf = -1;
  private viewLogOf = -1;

  private followers = new Set<() => void>();
  private asking = false;
  private opening = 0;
  /** The moment that was asked for when it was opened. */
  wanted: number | undefined;
  private details = new Map<string, EngineEvent[] | null>();

  constructor(readonly engine: EngineLike) {
    engine.died = (error) => this.fail(error);
  }

  follow(listener: () => void): () => void {
    this.followers.add(listener);
    return () => this.followers.delete(listener);
  }

  changed(): void {
    for (const listener of this.followers) listener();
  }

  get scenario(): Scenario | null {
    return this.scenarios.get(this.branch)?.scenario ?? null;
  }

  scenarioOf(branch: number): Scenario | null {
    return this.changing.get(branch) ?? this.scenarios.get(branch)?.scenario ?? null;
  }

  get hues(): Hues {
    return this.scenarios.get(this.branch)?.hues ?? NO_HUES;
  }

  get picture(): Picture | null {
    return this.pictures.get(this.branch) ?? null;
  }

  get end(): number {
    return this.picture?.end ?? 0;
  }

  get events(): EngineEvent[] {
    return this.picture?.events ?? [];
  }

  /** All branches, by id. The newest picture knows the most. */
  get branches(): Branch[] {
    let newest: Branch[] = [];
    for (const p of this.pictures.values()) if (p.branches.length >= newest.length) newest = p.branches;
    return newest;
  }

  get groupPicture() {
    return this.picture ? groupOf(this.picture, this.group) : undefined;
  }

  /** Whom the group waits for now: the View says it where there is one, else the Picture. */
  get wait(): Wait | undefined {
    const {view, now} = this, span = waitAt(this.groupPicture, now);
    // A View of the same span is as true as one of this very moment.
    const near = span && view && span.from <= view.at && view.at < span.to;
    if (view?.branch === this.branch && (view.at === now || near)) {
      const wait = view.groups.find((g) => g.id === this.group)?.wait;
      return wait && wait.kind !== 'none' ? this.withDue(wait) : undefined;
    }
    return span && this.withDue(span);
  }

  private due: {wait: Wait; value: Wait} | null = null;

  /** A coordinator that is away has no timer of its own: the cluster's decides, and the events say when. */
  private withDue(wait: Wait): Wait {
    if (wait.kind !== 'coordinator' || wait.due !== null) return wait;
    if (this.due?.wait === wait) return this.due.value;
    const fires = firstAfter(this.events, this.now, (e) => e.kind === 'timer-fired' && SESSIONS.has(e.config ?? ''));
    const down = fires && lastBefore(this.events, this.now, (e) => e.kind === 'broker-down' && e.node === fires.node) || lastBefore(this.events, this.now, (e) => e.kind === 'broker-down');
    const until = waitAt(this.groupPicture, this.now)?.to ?? Infinity;
    const value = fires && down && fires.at <= until ? {...wait, config: fires.config!, due: fires.at, since: down.at} : wait;
    this.due = {wait, value};
    return value;
  }

  private told: {key: unknown[]; value: Situation} | null = null;

  /** What the sentence speaks of; worked out once a frame. */
  get situation(): Situation | null {
    const {picture, scenario, group, now, wait} = this;
    if (!picture || !scenario) return null;
    const key = [picture, group, now, wait];
    if (!this.told || key.some((k, i) => k !== this.told!.key[i])) this.told = {key, value: situation(picture, scenario, group, now, wait)};
    return this.told.value;
  }

  /** `c2` or `broker 2`. */
  nameOf(node: Node): string {
    if (node > 0) return `broker ${node}`;
    return this.scenario?.consumers.find((c) => c.node === node)?.name ?? (node ? `c${-node}` : 'nobody');
  }

  /** Opens a scenario and plays it to its end; the playhead goes to `at`. */
  async open(name: string, title: string, text: string, at?: number): Promise<void> {
    const ticket = ++this.opening;
    this.stop();
    this.wanted = at;
    Object.assign(this, {name, title, text, view: null, trouble: null, shared: '', loading: true, branch: 1, target: 1, now: 0, news: null, picked: 0});
    this.pictures = new Map();
    this.scenarios = new Map();
    this.changing = new Map();
    this.details = new Map();
    this.changed();
    try {
      const scenario = await this.engine.open(text);
      const picture = await this.engine.play(1);
      if (ticket !== this.opening) return;
      this.keep(1, scenario);
      this.pictures.set(1, picture);
      this.loading = false;
      this.stepped = false;
      this.move(at ?? this.opensAt(picture), false);
    } catch (error) {
      if (ticket === this.opening) this.fail(error);
    }
  }

  private keep(branch: number, scenario: Scenario): void {
    this.scenarios.set(branch, {scenario, hues: new Hues(scenario.consumers)});
    if (branch === this.branch) this.keepGroup();
  }

  /** The group that is looked at, as long as the scenario has it. */
  private keepGroup(): void {
    const groups = this.scenario?.groups ?? [];
    if (!groups.some((g) => g.id === this.group)) this.group = groups[0]?.id ?? '';
  }

  /** Starts on a meaningful moment: in the middle of the longest wait. */
  private opensAt(picture: Picture): number {
    const all = groupOf(picture, this.group)?.waits.filter((w) => w.kind !== 'none') ?? [];
    const longest = (test: (w: WaitSpan) => boolean) => all.filter(test).sort((a, b) => (b.to - b.from) - (a.to - a.from))[0];
    const long = (w: WaitSpan) => w.to - w.from >= 200_000, initial = (w: WaitSpan) => w.kind === 'initial-delay';
    // What somebody does not do comes before what always takes a while; how a group begins comes last.
    const best = longest((w) => long(w) && !initial(w) && w.config !== 'heartbeat.interval.ms') ?? longest((w) => long(w) && !initial(w)) ?? longest(long);
    if (!best) return 0;
    return Math.round((best.from + Math.min(10_000_000, (best.to - best.from) / 2)) / 100_000) * 100_000;
  }

  /** The last move went to the next or the one before: it may be shown as a move. */
  stepped = false;

  /** To the neighbouring event; the picture may take 150 ms for it. */
  step(t: number): void {
    this.stop();
    this.stepped = true;
    this.move(t, false);
  }

  seek(t: number, keepNews = false): void {
    this.stepped = false;
    this.move(t, keepNews);
  }

  protected move(t: number, keepNews: boolean): void {
    const to = Math.round(Math.max(0, Math.min(this.end, t)));
    if (!keepNews && to !== this.now) this.news = null;
    this.now = to;
    this.changed();
    void this.look();
  }

  /** Asks for the View at the playhead; while one is under way, only the newest wish counts. */
  async look(): Promise<void> {
    if (this.asking || !this.picture) return;
    this.asking = true;
    try {
      while (this.picture && (this.view?.at !== this.now || this.view.branch !== this.branch || this.viewLogOf !== this.logOf)) {
        const ticket = this.opening, branch = this.branch, at = this.now, logOf = this.logOf;
        const slow = setTimeout(() => this.set({late: true}), 200);
        const view = await this.engine.view(branch, at, logOf).finally(() => clearTimeout(slow));
        if (ticket !== this.opening) break;
        this.view = {...view, at, branch};
        this.viewLogOf = logOf;
        this.late = false;
        this.changed();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.asking = false;
    }
  }

  /** Carries out a command at the playhead, on a new branch. */
  async act(line: string): Promise<void> {
    this.stop();
    const {branch: from, now} = this;
    return this.make(from, async () => ({branch: await this.engine.act(from, now, line), scenario: this.scenarioOf(from)!}));
  }

  /** Shows the branch that a question to the engine makes or changes. */
  async make(from: number, made: () => Promise<{branch: number; scenario: Scenario}>): Promise<void> {
    const ticket = this.opening;
    try {
      const {branch, scenario} = await made();
      if (ticket !== this.opening) return;
      this.took(branch, scenario, from);
      await this.choose(branch);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.fail(error);
    }
  }

  /** A branch was made, or is another one now. It is seen when it is shown. */
  took(branch: number, scenario: Scenario, from: number): void {
    this.changing.set(branch, scenario);
    this.news = branch === from ? null : {branch, kept: from};
  }

  async choose(branch: number): Promise<void> {
    this.target = branch;
    if (branch === this.branch && !this.changing.has(branch)) return;
    const ticket = this.opening;
    try {
      if (this.changing.has(branch) || !this.pictures.has(branch)) {
        const picture = await this.engine.play(branch);
        if (ticket !== this.opening) return;
        this.pictures.set(branch, picture);
      }
    } catch (error) {
      return this.fail(error);
    }
    const changed = this.changing.get(branch);
    if (changed) {
      this.changing.delete(branch);
      this.keep(branch, changed);
      this.details = new Map();
      // The View stays where it is until the one of the changed branch has come.
      if (this.view?.branch === branch) this.view = {...this.view, branch: 0};
    }
    if (branch !== this.target) return; // somebody has chosen another one meanwhile
    Object.assign(this, {branch, news: this.news?.branch === branch ? this.news : null, picked: 0});
    this.keepGroup();
    this.move(this.now, true);
  }

  /** Every event of a window, routine ones too; empty until the engine has answered. */
  detail(from: number, to: number, ask = true): EngineEvent[] {
    const key = `${this.branch}/${from}/${to}`;
    const known = this.details.get(key);
    if (known !== undefined || !ask) return known ?? NOTHING;
    this.details.set(key, null);
    const details = this.details;
    this.engine.detail(this.branch, from, to).then((events) => {
      details.set(key, events);
      if (details === this.details) this.changed();
    }, (error: unknown) => this.fail(error));
    return NOTHING;
  }

  private fail(error: unknown): void {
    if (error instanceof EngineDied && !this.scenarios.size && this.trouble) return;
    this.stop();
    this.loading = false;
    this.trouble = {
      message: error instanceof Error ? error.message : String(error),
      diagnostics: error instanceof Refusal ? error.diagnostics : [],
      died: error instanceof EngineDied,
    };
    this.changed();
  }

  // Steps. An event is a moment: everything at the same time is one step.

  private moments(test: (e: EngineEvent) => boolean = () => true): number[] {
    const times: number[] = [];
    for (const e of this.events) if (e.at !== times[times.length - 1] && test(e)) times.push(e.at);
    return times;
  }

  next(test?: (e: EngineEvent) => boolean): number {
    return this.moments(test).find((t) => t > this.now) ?? this.end;
  }

  previous(test?: (e: EngineEvent) => boolean): number {
    const before = this.moments(test).filter((t) => t < this.now);
    return before[before.length - 1] ?? 0;
  }

  /** Index of the event under the playhead, -1 before the first. */
  get here(): number {
    return eventIndexAt(this.events, this.now);
  }

  private readonly player = new Player(this);

  get playing(): boolean {
    return this.player.playing;
  }

  play(): void {
    this.player.start();
  }

  stop(): void {
    this.player.stop();
  }

  /** While nobody sees the run its frames wait. */
  rest(resting: boolean): void {
    this.player.rest(resting);
  }

  set(change: Partial<Pick<Run, 'spacing' | 'rows' | 'speed' | 'group' | 'picked' | 'late'>>): void {
    Object.assign(this, change);
    this.changed();
  }
}
