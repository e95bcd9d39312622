// <lab-stage>: the picture of the page: names that open what can happen to
// them, rows that fold when they have no room, crowds.

import {html, svg, nothing, type SVGTemplateResult, type TemplateResult} from 'lit';
import {guard} from 'lit/directives/guard.js';
import type {Lane, Node, Picture, Scenario} from '../engine/types.ts';
import {groupOf, livesOf} from '../run/look.ts';
import {words} from '../words.ts';
import {Axis} from './axis.ts';
import {Beats} from './beats.ts';
import {causalLabels, causalTicks} from './causal.ts';
import {crowd} from './crowd.ts';
import {causalMoments, type Burst} from './exchange.ts';
import {fit, keep} from './fold.ts';
import {gutter} from './gutter.ts';
import {handing} from './handing.ts';
import {round} from './lanes.ts';
import {legend} from './legend.ts';
import {beatCounts, heartbeats, texture} from './many.ts';
import {yOf} from './messages.ts';
import {wide as measure} from './measure.ts';
import {Motion} from './motion.ts';
import {playhead, rightOf} from './now.ts';
import {Pictured, type Arranged, type Built} from './pictured.ts';
import {GUTTER, place, RIGHT, type Place} from './place.ts';
import {memberRows, type Row} from './rows.ts';
import {stateRow} from './state.ts';
import {table} from './table.ts';
import {otherTimers} from './timers.ts';

export class Stage extends Pictured {
  /** Whose hidden rows are shown. */
  private unfolded: Scenario | null = null;
  /** Groups of more than forty members that are shown one by one. */
  private opened = new Set<string>();
  /** Whom the open menu is about. */
  private asked: Node = 0;

  protected override arrange(picture: Picture, everyRow: Row[], all: Node[]): Arranged {
    const brokers = this.run.scenario!.brokers.length, {width, height} = this.size, {bands} = this;
    if (all.length > 40) return {rows: everyRow, consumers: all, hidden: 0, place: place(width, height, 0, brokers, 1, bands)};
    const shown = this.shown(picture, everyRow, all), {rows, consumers, hidden} = shown;
    return {...shown, place: place(width, height, rows.length, brokers, consumers.length + (hidden ? 1 : 0), bands, all.length > 8 || rows.some((r) => r.more))};
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
    this.built = null;
    this.requestUpdate();
    // The row with the words moves; the focus goes with it.
    void this.updateComplete.then(() => (all()[i] ?? all()[0])?.focus());
  };

  protected override render(): TemplateResult | typeof nothing {
    const built = this.build();
    if (!built) return nothing;
    const {run} = this, {place: p} = built;
    this.glide.step(built.axis, run.now, run.stepped);
    const scroll = this.follow(built);
    const large = built.consumers.length > 40;
    const hands = {run, now: this.now, ask: (node: Node, e: Event) => this.ask(node, e), unfold: this.unfold};
    const mass = large ? crowd(built, hands, scroll, this.opened, (key) => this.openGroup(key)) : null;
    const body = mass?.body ?? [gutter(built, hands), this.plot(built, scroll), this.marks(built, scroll)];
    return html`${this.frame(built, [body, large ? nothing : svg`<g aria-hidden="true">${legend(p.width - RIGHT - (this.bands === 'both' ? 0 : this.bands === 'ownership' ? 296 : 140), p.legend + 7, this.bands)}</g>`], mass?.height)}
      ${large ? nothing : this.toggles(p)}${table(run)}`;
  }

  protected override rowsOf(lanes: Lane[], members: Node[]): Row[] {
    const {run} = this;
    return run.rows === 'members' ? memberRows(lanes, members, (n) => run.nameOf(n)) : super.rowsOf(lanes, members);
  }

  private readonly motion = new Motion(() => this.requestUpdate());

  protected override get turning(): boolean {
    return this.motion.turns;
  }

  protected override turn(before: Axis | null, axis: Axis): Axis {
    return this.motion.turn(before, axis);
  }

  protected override hands(b: Built): unknown {
    return handing(b, this.motion.hands(b.rows, this.run.now, this.run.stepped));
  }

  protected override axis(picture: Picture, where: Place, consumers: Node[]): Axis {
    return this.run.spacing === 'causal' ? Axis.causal(picture.end, where.plot, causalMoments(picture.events, consumers)) : super.axis(picture, where, consumers);
  }

  protected override grid(b: Built): unknown {
    return b.axis.causal ? causalTicks(b) : nothing;
  }

  protected override labels(b: Built): {x: number; label: string}[] {
    return b.axis.causal ? causalLabels(b) : super.labels(b);
  }

  protected override spread(burst: Burst): void {
    this.run.set({spacing: 'causal'});
    super.spread(burst);
  }

  protected override timers(b: Built, scroll: number): unknown {
    return otherTimers(b, b.picture, b.group, this.run.wait, this.now, scroll);
  }

  protected override state(b: Built, scroll: number): unknown {
    return stateRow(b.axis, groupOf(b.picture, b.group), this.now, 54, scroll, b.place.plot);
  }

  protected override arrows(b: Built, quiet: number): unknown {
    return b.dense && !b.axis.causal && b.consumers.length > 16 ? texture(b) : super.arrows(b, quiet);
  }

  private readonly beating = new Beats(() => this.requestUpdate());

  /** Heartbeats; where there are many members their number. */
  protected override beats(b: Built, scroll: number): unknown {
    if (b.axis.causal) return nothing;
    const beats = this.beating.seen(this.run, b.axis, scroll, scroll + this.size.width);
    return guard([b, beats], () => b.dense ? beatCounts(b, beats) : heartbeats(b, beats));
  }

  private openGroup(key: string): void {
    if (!this.opened.delete(key)) this.opened.add(key);
    this.requestUpdate();
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

  answered(): void {
    this.asked = 0;
    this.requestUpdate();
  }

  /** Lifelines answer to the pointer as their labels do. */
  protected override lifelines(b: Built): unknown {
    return [...b.brokers, ...b.consumers].map((n) => svg`<rect class="hit line" x="0" y=${yOf(b, n) - 6} width=${round(b.axis.width)} height="12" @click=${(e: Event) => this.ask(n, e)}/>`);
  }

  /** The playhead stands outside of the clip: its flag may reach over the edge. */
  private marks(b: Built, scroll: number): SVGTemplateResult {
    const {place: p, axis} = b, x = GUTTER + axis.x(this.now) - scroll;
    const label = words.stage.ahead;
    // The timer of the last row has its label there.
    const taken = this.run.wait?.for === b.consumers[b.consumers.length - 1];
    const room = p.width - RIGHT - x > measure(label) + 4 && !taken;
    return svg`${room && this.bands !== 'ownership' ? svg`<text class="q halo" x=${round(rightOf(b.axis, this.now, this.run.wait) + GUTTER - scroll)} y=${p.bottom - 6}>${label}</text>` : nothing}${playhead(x, this.now, p.bottom)}
      ${this.asked && this.bands !== 'ownership' ? svg`<rect class="pick" x=${round(x) - 7} y=${yOf(b, this.asked) - 11} width="14" height="22" rx="3"/>` : nothing}`;
  }

  private toggles(p: Place): TemplateResult {
    const {run} = this;
    const seg = <K extends string>(label: string, now: K, all: readonly K[], names: Record<string, string>, set: (k: K) => void) =>
      html`<div class="seg" role="group" aria-label=${label}>${all.map((k) => html`<button type="button" aria-pressed=${k === now} @click=${() => set(k)}>${names[k]}</button>`)}</div>`;
    const groups = run.scenario!.groups.map((g) => g.id);
    const toggles = html`${groups.length > 1 && groups.length <= 4 ? seg(words.picture.group, run.group, groups, Object.fromEntries(groups.map((g) => [g, g])), (group) => run.set({group})) : nothing}
      ${this.bands !== 'messages' ? seg(words.picture.ownership, run.rows, ['partitions', 'members'] as const, words.stage.rows, (rows) => run.set({rows})) : nothing}
      ${seg(words.picture.spacingLabel, run.spacing, ['clock', 'causal'] as const, words.picture.spacing, (spacing) => run.set({spacing}))}`;
    return html`<div class="toggles ${this.bands}" .style=${`top:${this.bands === 'both' ? p.lanesEnd - 10 : p.legend - 4}px`}>${toggles}</div>`;
  }
}

customElements.define('lab-stage', Stage);
