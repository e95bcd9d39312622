// <lab-stage>: ownership and messages over one x axis. It builds a Scene when
// the picture, the size or the spacing changes, and per frame moves two clips
// and redraws the few marks of now.ts.

import {html, svg, nothing, type SVGTemplateResult, type TemplateResult} from 'lit';
import {guard} from 'lit/directives/guard.js';
import type {EngineEvent, Node, Picture, Scenario} from '../engine/types.ts';
import {Piece} from '../piece.ts';
import {groupOf, lifeAt, livesOf} from '../run/look.ts';
import {words} from '../words.ts';
import {Axis, chooseFolds, idle, ticks} from './axis.ts';
import {crowd} from './crowd.ts';
import {fit, keep} from './fold.ts';
import {bursts, causalMoments, messagesOf, type Burst} from './exchange.ts';
import {laneLabels, laneMarks, round, type Band} from './lanes.ts';
import {legend} from './legend.ts';
import {arrows, beatCounts, brokerLines, consumerLines, counts, errorLabels, heartbeats, lifeLabels, yOf, type Scene} from './messages.ts';
import {fontsOf, wide as measure} from './measure.ts';
import {Motion} from './motion.ts';
import {decidingTimer, dueLine, rightOf, lastSign, otherTimers, playhead, stateRow, waitBar} from './now.ts';
import {gutter} from './gutter.ts';
import {handing} from './handing.ts';
import {GUTTER, place, RIGHT, type Bands, type Place} from './place.ts';
import {lanesOf, memberRows, partitionRows, type Row} from './rows.ts';

export interface Built extends Scene, Band {
  picture: Picture;
  group: string;
  /** Members that are not drawn; -1: all are, and may be folded. */
  hidden: number;
}

export class Stage extends Piece {
  static override properties = {...Piece.properties, bands: {attribute: false}, crowded: {state: true}};
  /** Which bands are drawn; narrow pages show one. */
  declare bands: Bands;

  private size = {width: 0, height: 0};
  private built: Built | null = null;
  private key: unknown[] = [];
  private left = 0;
  /** Whose hidden rows are shown. */
  private unfolded: Scenario | null = null;
  /** Groups of more than forty members that are shown one by one. */
  private opened = new Set<string>();
  private readonly observer = new ResizeObserver(([entry]) => {
    const box = entry!.contentRect;
    this.size = {width: box.width, height: box.height};
    this.requestUpdate();
  });

  constructor() {
    super();
    this.bands = 'both';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.className = 'stage';
    fontsOf(this);
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  private build(): Built | null {
    const {run} = this, picture = run.picture, scenario = run.scenario;
    if (!picture || !scenario || !this.size.width) return null;
    const key = [picture, run.group, run.spacing, run.rows, this.size.width, this.size.height, this.bands, this.unfolded];
    if (this.built && !this.motion.turns && key.every((k, i) => k === this.key[i])) return this.built;
    const before = this.key;
    this.key = key;
    const lanes = lanesOf(picture, run.group);
    const all = [...new Set([...scenario.consumers.filter((c) => c.group === run.group).map((c) => c.node),
      ...scenario.groups.find((g) => g.id === run.group)?.consumers ?? []])];
    const name = (n: Node) => run.nameOf(n);
    const everyRow = run.rows === 'members' ? memberRows(lanes, all, name) : partitionRows(lanes, name);
    const large = all.length > 40, dense = all.length > 8;
    const {rows, consumers, hidden} = large ? {rows: everyRow, consumers: all, hidden: 0} : this.shown(picture, everyRow, all);
    const where = place(this.size.width, this.size.height, large ? 0 : rows.length, scenario.brokers.length, large ? 1 : consumers.length + (hidden ? 1 : 0), this.bands, !large && (dense || rows.some((r) => r.more)));
    const turned = this.built && key.every((k, i) => k === before[i] || i === 2) && !this.motion.turns && !dense ? this.built.axis : null;
    const axis = this.motion.turn(turned, this.axis(picture, where, consumers));
    const messages = bursts(messagesOf(picture.events, consumers), axis, dense);
    this.built = {
      picture, group: run.group, rows, axis, place: where, hues: run.hues, consumers, brokers: scenario.brokers,
      lives: new Map([...scenario.brokers, ...consumers].map((n) => [n, livesOf(picture, n)])),
      coordinators: picture.coordinators.filter((c) => c.group === run.group), bursts: messages, dense, hidden,
    };
    return this.built;
  }

  /** Both bands stay in sight: what has no room is counted. */
  private shown(picture: Picture, rows: Row[], consumers: Node[]): {rows: Row[]; consumers: Node[]; hidden: number} {
    const {scenario} = this.run;
    if (this.bands !== 'both' || (rows.length <= 8 && consumers.length <= 8)) return {rows, consumers, hidden: 0};
    const most = fit(this.size.height, rows.length, consumers.length, scenario!.brokers.length);
    if (most.rows === rows.length && most.consumers === consumers.length) return {rows, consumers, hidden: 0};
    const count = (more: number): Row => ({name: '', node: 0, spans: [], records: [], commits: [], lag: [], lane: null, more});
    if (this.unfolded === scenario) return {rows: [...rows, count(-1)], consumers, hidden: most.consumers < consumers.length ? -1 : 0};
    const matters = (n: Node) => livesOf(picture, n).some((s) => s.state === 'dead' || s.state === 'stalled');
    const shown = keep(consumers, most.consumers, matters);
    const kept = keep(rows, most.rows, (row) => row.node ? matters(row.node) : row.spans.some((s) => s.state === 'stuck'));
    return {rows: kept.length < rows.length ? [...kept, count(rows.length - kept.length)] : kept, consumers: shown, hidden: consumers.length - shown.length};
  }

  private readonly unfold = () => {
    const all = () => [...this.querySelectorAll<SVGElement>('.more')], i = all().findIndex((e) => e.matches(':focus'));
    this.unfolded = this.unfolded ? null : this.run.scenario;
    this.requestUpdate();
    // The row with the words moves; the focus goes with it.
    void this.updateComplete.then(() => (all()[i] ?? all()[0])?.focus());
  };

  private axis(picture: Picture, where: Place, consumers: Node[]): Axis {
    const width = where.plot;
    if (this.run.spacing === 'causal') return Axis.causal(picture.end, width, causalMoments(picture.events, consumers));
    const group = groupOf(picture, this.run.group);
    const mine = picture.events.filter((e) => !e.group || e.group === this.run.group);
    return Axis.clock(picture.end, width, chooseFolds(picture.end, width, idle(picture.end, mine, group), group?.waits));
  }

  /** Keeps the playhead in sight; still while all fits. */
  private follow({axis, place: {plot}}: Built): number {
    const most = Math.max(0, axis.width - plot), x = axis.x(this.now);
    if (x - this.left > plot * 0.72) this.left = x - plot * 0.72;
    if (x - this.left < plot * 0.28) this.left = x - plot * 0.28;
    this.left = Math.min(most, Math.max(0, this.left));
    return this.left;
  }

  protected override render(): TemplateResult | typeof nothing {
    const built = this.build();
    if (!built) return nothing;
    const {run} = this, {place: p} = built;
    this.motion.step(built.axis, run.now, run.stepped);
    const scroll = this.follow(built);
    const large = built.consumers.length > 40;
    const hands = {run, now: this.now, ask: (node: Node, e: Event) => this.ask(node, e), unfold: this.unfold};
    const mass = large ? crowd(built, hands, scroll, this.opened, (key) => this.openGroup(key)) : null;
    const body = mass?.body ?? [gutter(built, hands), this.plot(built, scroll), this.marks(built, scroll)], tall = mass?.height ?? p.height;
    return html`<svg width=${p.width} height=${tall} viewBox="0 0 ${p.width} ${tall}" role="group" aria-roledescription="picture"
        aria-label=${words.picture.label(built.rows.length, run.group, run.end)} @pointerdown=${this.grab}>
      <defs><clipPath id="plot"><rect x=${GUTTER - 14} y="0" width=${p.plot + RIGHT + 14} height=${tall}/></clipPath></defs>
      ${body}
      ${large ? nothing : svg`<g aria-hidden="true">${legend(p.width - RIGHT - (this.bands === 'both' ? 0 : this.bands === 'ownership' ? 296 : 140), p.legend + 7, this.bands)}</g>`}</svg>
      ${large ? nothing : this.toggles(p)}${this.table(built)}`;
  }

  private openGroup(key: string): void {
    if (!this.opened.delete(key)) this.opened.add(key);
    this.requestUpdate();
  }

  private readonly motion = new Motion(() => this.requestUpdate());

  private get now(): number {
    return this.motion.now;
  }

  private ask(node: Node, e: Event): void {
    e.preventDefault();
    e.stopPropagation();
    const b = this.built, box = this.querySelector('svg')!.getBoundingClientRect();
    if (!b) return;
    // The menu belongs to this one, now: it opens beside the playhead.
    const at = {x: box.left + GUTTER + b.axis.x(this.run.now) - this.left, y: box.top + (this.bands === 'ownership' ? 200 : yOf(b, node))};
    const from = this.querySelector<SVGElement>(`g[data-node="${node}"][tabindex="0"]`) ?? (e.currentTarget as SVGElement);
    this.asked = node;
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent('lab-ask', {bubbles: true, composed: true, detail: {node, at, from}}));
  }

  /** Whom the open menu is about. */
  private asked: Node = 0;

  answered(): void {
    this.asked = 0;
    this.requestUpdate();
  }

  /** Lifelines answer to the pointer as their labels do. */
  private lifelines(b: Built): SVGTemplateResult[] {
    return [...b.brokers, ...b.consumers].map((n) => svg`<rect class="hit line" x="0" y=${yOf(b, n) - 6} width=${round(b.axis.width)} height="12" @click=${(e: Event) => this.ask(n, e)}/>`);
  }

  /** Everything over time. What does not move is guarded: it is drawn once. */
  private plot(b: Built, scroll: number): SVGTemplateResult {
    const {axis, place: p, picture} = b, {now} = this;
    const group = groupOf(picture, b.group), wait = this.run.wait;
    const x = axis.x(now), shift = round(GUTTER - scroll);
    const ownership = this.bands !== 'messages', messages = this.bands !== 'ownership';
    const beats = this.beats(b, scroll), quiet = this.quiet(picture, b.group);
    const isDead = (n: Node, t: number) => lifeAt(picture, n, t) === 'dead';
    return svg`<g clip-path="url(#plot)"><g transform="translate(${shift} 0)">
      <defs><clipPath id="past"><rect x="-20" y="0" width=${Math.max(0, x + 20)} height=${p.height}/></clipPath>
        <clipPath id="ahead"><rect x=${x} y="0" width=${Math.max(0, axis.width - x + 1)} height=${p.height}/></clipPath></defs>
      ${guard([b], () => this.ground(b))}
      ${this.tickLabels(b, scroll)}${waitBar(axis, wait, now, 30, scroll)}${stateRow(axis, group, now, 54, scroll, p.plot)}
      ${ownership ? svg`<g clip-path="url(#past)">${guard([b], () => laneMarks(b, false))}</g>
        <g class="ahead-g" clip-path="url(#ahead)">${guard([b], () => laneMarks(b, true))}</g>
        ${guard([b, scroll, x], () => laneLabels(b, scroll, now, isDead))}${handing(b, this.motion.hands(b.rows))}` : nothing}
      ${messages ? svg`<g clip-path="url(#past)">${guard([b, quiet], () => [brokerLines(b, false), consumerLines(b, false)])}
          ${guard([b, beats], () => b.dense ? nothing : heartbeats(b, beats))}${guard([b, quiet], () => arrows(b, quiet))}${guard([b, beats], () => b.dense ? beatCounts(b, beats) : nothing)}</g>
        <g class="ahead-g" clip-path="url(#ahead)">${guard([b], () => [brokerLines(b, true), consumerLines(b, true), arrows(b, 0)])}</g>
        ${otherTimers(b, picture, b.group, wait, now, scroll)}${decidingTimer(b, picture, b.group, wait, now, scroll, (n) => this.run.nameOf(n))}
        ${guard([b], () => this.lifelines(b))}${counts(b, quiet, now, (burst) => this.spread(burst))}` : nothing}
      ${guard([b], () => this.folds(b))}
      ${messages ? svg`${errorLabels(b, now, scroll)}${lifeLabels(b, now, scroll)}${lastSign(b, picture, wait, beats, scroll)}` : nothing}
      ${this.foldLabels(b, wait?.due ?? null)}${dueLine(axis, wait, now, p.bottom)}
    </g></g>`;
  }

  /** The playhead stands outside of the clip: its flag may reach over the edge. */
  private marks(b: Built, scroll: number): SVGTemplateResult {
    const {place: p, axis} = b, x = GUTTER + axis.x(this.now) - scroll;
    const label = words.picture.ahead;
    // The timer of the last row has its label there.
    const taken = this.run.wait?.for === b.consumers[b.consumers.length - 1];
    const room = p.width - RIGHT - x > measure(label) + 4 && !taken;
    return svg`${room && this.bands !== 'ownership' ? svg`<text class="q halo" x=${round(rightOf(b.axis, this.now, this.run.wait) + GUTTER - scroll)} y=${p.bottom - 6}>${label}</text>` : nothing}${playhead(x, this.now, p.bottom)}
      ${this.asked && this.bands !== 'ownership' ? svg`<rect class="pick" x=${round(x) - 7} y=${yOf(b, this.asked) - 11} width="14" height="22" rx="3"/>` : nothing}`;
  }

  /** Grid, generations, labels of the axis. */
  private ground(b: Built): SVGTemplateResult {
    const {axis, place: p, picture} = b;
    const states = groupOf(picture, b.group)?.states ?? [];
    const bands: {from: number; to: number; generation: number}[] = [];
    for (const s of states) {
      const last = bands[bands.length - 1];
      if (last && last.generation === s.generation) last.to = s.to;
      else bands.push({from: s.from, to: s.to, generation: s.generation});
    }
    const top = 82, tall = p.lanesEnd - 10 - top;
    return svg`${tall > 0 ? bands.filter((g) => g.generation % 2 === 1).map((g) => svg`<rect class="gen" x=${round(axis.x(g.from))} y=${top} width=${round(axis.x(g.to) - axis.x(g.from))} height=${tall}/>`) : nothing}
      ${ticks(axis).map((t) => svg`<path class="tick" d="M${round(t.x)} 24V${p.bottom}"/>`)}
      ${axis.causal ? this.causalTicks(b) : nothing}`;
  }

  /** Labels that would be cut at an edge, or peep out from under a flag, stay away. */
  private tickLabels(b: Built, scroll: number): unknown {
    const {axis, place: p} = b, due = this.run.wait?.due;
    const flags = [axis.x(this.now), ...due && due > this.now && due <= axis.end ? [axis.x(due)] : []];
    const marks = axis.causal ? this.causalLabels(b) : ticks(axis);
    const shown = marks.filter((t) => {
      const half = measure(t.label) / 2;
      return t.x - half > scroll - 14 && t.x + half < scroll + p.plot + RIGHT && flags.every((f) => Math.abs(f - t.x) > 26 + half);
    });
    return guard([b, shown.map((t) => t.label).join()], () => shown.map((t) => svg`<text class="mid q" x=${round(t.x)} y="18">${t.label}</text>`));
  }

  private causalTicks({axis, place: p, picture, consumers}: Built): SVGTemplateResult {
    return svg`<path class="tick" d=${[0, ...causalMoments(picture.events, consumers)].map((t) => `M${round(axis.x(t))} 24V${p.bottom}`).join('')}/>`;
  }

  private causalLabels({axis, picture, consumers}: Built): {x: number; label: string}[] {
    const out: {x: number; label: string}[] = [];
    let last = -100;
    for (const t of [0, ...causalMoments(picture.events, consumers)]) {
      const x = axis.x(t);
      const label = t === 0 ? '0 s' : (t / 1e6).toFixed(3).replace(/0+$/, '').replace(/\.$/, '.0');
      if (x - last < measure(label) + 14) continue;
      out.push({x, label});
      last = x;
    }
    return out;
  }

  private folds({axis, place: p}: Built): SVGTemplateResult[] {
    return axis.folds.map((f) => {
      const a = axis.x(f.from) + 4, z = axis.x(f.to) - 4;
      return svg`<rect class="cover" x=${round(a)} y="26" width=${round(z - a)} height=${p.bottom - 24}/>
        <path class="axis" d="M${round(a)} 26V${p.bottom + 2}M${round(z)} 26V${p.bottom + 2}" stroke-dasharray="1 3"/>`;
    });
  }

  /** How much was left out; not where a flag stands. */
  private foldLabels({axis}: Built, due: number | null): SVGTemplateResult[] {
    const flags = [axis.x(this.now), ...due === null ? [] : [axis.x(due)]];
    return axis.folds.map((f) => {
      const x = (axis.x(f.from) + axis.x(f.to)) / 2;
      return flags.some((flag) => Math.abs(flag - x) < 50) ? svg`` : svg`<text class="mid q halo" x=${round(x)} y="18">${words.picture.fold(f.to - f.from)}</text>`;
    });
  }

  /** Routine heartbeats of the window that one sees, in pieces of 30 s. */
  private beats({axis}: Built, scroll: number): EngineEvent[] {
    if (axis.causal || this.bands === 'ownership') return NONE;
    const piece = 30_000_000;
    const first = Math.floor(axis.t(scroll) / piece), last = Math.floor(axis.t(scroll + this.size.width) / piece);
    const all: EngineEvent[] = [], calm = this.calm();
    for (let i = first; i <= last; i++) {
      const from = i * piece, to = Math.min(this.run.end, from + piece);
      if (to > from) all.push(...beatsOf(this.run.detail(from, to, calm)));
    }
    const known = this.known;
    if (known.length === all.length && known[0] === all[0] && known[known.length - 1] === all[all.length - 1]) return known;
    return (this.known = all);
  }

  private known: EngineEvent[] = NONE;

  private moved = {now: -1, at: 0, timer: 0};

  /** Details wait until the playhead rests: while one scrubs, the engine answers for the sentence first. */
  private calm(): boolean {
    const {run, moved} = this;
    if (run.now !== moved.now) Object.assign(moved, {now: run.now, at: performance.now()});
    if (run.playing || performance.now() - moved.at >= REST) return true;
    clearTimeout(moved.timer);
    moved.timer = window.setTimeout(() => this.requestUpdate(), REST);
    return false;
  }

  /** Before this time messages are grey: since then the group's last change is told. */
  private quiet(picture: Picture, group: string): number {
    const g = groupOf(picture, group), {now} = this;
    const left = [...(g?.states ?? [])].filter((s) => s.from <= now && (s.state === 'PreparingRebalance' || s.state === '')).pop();
    return left ? left.from - 1_000_000 : 0;
  }

  private spread(burst: Burst): void {
    this.run.set({spacing: 'causal'});
    this.run.seek(burst.at);
  }

  private toggles(p: Place): TemplateResult {
    const {run} = this;
    const seg = <K extends string>(label: string, now: K, all: readonly K[], names: Record<string, string>, set: (k: K) => void) =>
      html`<div class="seg" role="group" aria-label=${label}>${all.map((k) => html`<button type="button" aria-pressed=${k === now} @click=${() => set(k)}>${names[k]}</button>`)}</div>`;
    const groups = run.scenario!.groups.map((g) => g.id);
    const toggles = html`${groups.length > 1 && groups.length <= 4 ? seg(words.picture.group, run.group, groups, Object.fromEntries(groups.map((g) => [g, g])), (group) => run.set({group})) : nothing}
      ${this.bands !== 'messages' ? seg(words.picture.ownership, run.rows, ['partitions', 'members'] as const, words.picture.rows, (rows) => run.set({rows})) : nothing}
      ${seg(words.picture.spacingLabel, run.spacing, ['clock', 'causal'] as const, words.picture.spacing, (spacing) => run.set({spacing}))}`;
    return html`<div class="toggles ${this.bands}" .style=${`top:${this.bands === 'both' ? p.lanesEnd - 10 : p.legend - 4}px`}>${toggles}</div>`;
  }

  /** What the lanes show now, for those who do not see them. */
  private table(b: Built): TemplateResult {
    const {run} = this;
    const lanes = lanesOf(b.picture, b.group);
    return html`<table class="away"><caption>${words.picture.table}</caption><thead><tr><th>${words.picture.partition}</th><th>${words.picture.reader}</th><th>${words.picture.onRecord}</th></tr></thead>
      <tbody>${guard([b, Math.floor(run.now / 1e6)], () => lanes.slice(0, 200).map((l) => {
        const s = l.spans.find((s) => s.from <= run.now && run.now < s.to);
        return html`<tr><th scope="row">${l.topic}-${l.partition}</th><td>${s?.state === 'reads' ? run.nameOf(s.reader) : words.picture.nobody}</td><td>${s?.owner ? run.nameOf(s.owner) : words.picture.nobody}</td></tr>`;
      }))}</tbody></table>`;
  }

  /** Dragging in the picture moves the playhead. */
  private grab(e: PointerEvent): void {
    const built = this.built;
    if (!built || e.button !== 0 || (e.target as Element).closest('[role="button"], .spread, .hit')) return;
    const box = (e.currentTarget as Element).getBoundingClientRect();
    if (e.clientX - box.left < GUTTER) return;
    const svgElement = e.currentTarget as SVGElement;
    const move = (m: PointerEvent) => this.run.seek(built.axis.t(m.clientX - box.left - GUTTER + this.left));
    this.run.stop();
    svgElement.setPointerCapture(e.pointerId);
    move(e);
    svgElement.addEventListener('pointermove', move);
    svgElement.addEventListener('lostpointercapture', () => svgElement.removeEventListener('pointermove', move), {once: true});
  }
}

const NONE: EngineEvent[] = [];
const REST = 150;

const beats = new WeakMap<readonly EngineEvent[], EngineEvent[]>();

function beatsOf(events: EngineEvent[]): EngineEvent[] {
  let found = beats.get(events);
  if (!found) beats.set(events, found = events.filter((e) => e.api === 'Heartbeat' && e.kind === 'request'));
  return found;
}
customElements.define('lab-stage', Stage);
