// What the pictures of the page and of the element have in common: ownership
// and messages over one x axis. It builds a Scene when the picture, the size or
// the spacing changes, and per frame moves two clips and redraws the few marks
// of now.ts.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import {guard} from 'lit/directives/guard.js';
import {drag} from '../drag.ts';
import type {Lane, Node, Picture} from '../engine/types.ts';
import {Piece, Sized} from '../piece.ts';
import {groupOf, lifeAt, livesOf} from '../run/look.ts';
import {words} from '../words.ts';
import {Axis, chooseFolds, idle, ticks} from './axis.ts';
import {bursts, messagesOf, type Burst} from './exchange.ts';
import {Glide} from './glide.ts';
import {foldLabels, folds, ground, tickLabels} from './ground.ts';
import {laneLabels} from './lanelabels.ts';
import {laneMarks, round, type Band} from './lanes.ts';
import {arrows, brokerLines, consumerLines, type Scene} from './messages.ts';
import {counts, errorLabels, lifeLabels} from './messagelabels.ts';
import {fontsOf} from './measure.ts';
import {decidingTimer, dueLine, waitBar} from './now.ts';
import {lastSign} from './sign.ts';
import {RIGHT, type Bands, type Place} from './place.ts';
import {lanesOf, partitionRows, type Row} from './rows.ts';

export interface Built extends Scene, Band {
  picture: Picture;
  group: string;
  /** Members that are not drawn; -1: all are, and may be folded. */
  hidden: number;
}

/** What is drawn, and where. */
export type Arranged = Pick<Built, 'rows' | 'consumers' | 'hidden' | 'place'>;

export abstract class Pictured extends Sized {
  static override properties = {...Piece.properties, bands: {attribute: false}};
  /** Which bands are drawn; narrow pages show one. */
  declare bands: Bands;

  protected built: Built | null = null;
  protected left = 0;
  private key: unknown[] = [];

  constructor() {
    super();
    this.bands = 'both';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.className = 'stage';
    fontsOf(this);
  }

  protected rowsOf(lanes: Lane[], _: Node[]): Row[] {
    return partitionRows(lanes, (n) => this.run.nameOf(n));
  }

  protected abstract arrange(picture: Picture, rows: Row[], consumers: Node[]): Arranged;

  protected build(): Built | null {
    const {run} = this, picture = run.picture, scenario = run.scenario;
    if (!picture || !scenario || !this.size.width) return null;
    const key = [picture, run.group, run.spacing, run.rows, this.size.width, this.size.height, this.bands];
    if (this.built && !this.turning && key.every((k, i) => k === this.key[i])) return this.built;
    const before = this.key;
    this.key = key;
    const lanes = lanesOf(picture, run.group);
    const all = [...new Set([...scenario.consumers.filter((c) => c.group === run.group).map((c) => c.node),
      ...scenario.groups.find((g) => g.id === run.group)?.consumers ?? []])];
    const arranged = this.arrange(picture, this.rowsOf(lanes, all), all);
    const {consumers} = arranged, dense = all.length > 8;
    // Only the spacing changed: what stands there turns into what will.
    const turned = this.built && key.every((k, i) => k === before[i] || i === 2) && !this.turning && !dense ? this.built.axis : null;
    const axis = this.turn(turned, this.axis(picture, arranged.place, consumers));
    this.built = {
      ...arranged, picture, group: run.group, axis, hues: run.hues, brokers: scenario.brokers,
      lives: new Map([...scenario.brokers, ...consumers].map((n) => [n, livesOf(picture, n)])),
      coordinators: picture.coordinators.filter((c) => c.group === run.group), bursts: bursts(messagesOf(picture.events, consumers), axis, dense), dense,
    };
    return this.built;
  }

  protected axis(picture: Picture, where: Place, _: Node[]): Axis {
    const width = where.plot, [wish, least] = where.second, group = groupOf(picture, this.run.group);
    const mine = picture.events.filter((e) => !e.group || e.group === this.run.group);
    return Axis.clock(picture.end, width, chooseFolds(picture.end, width, idle(picture.end, mine, group), group?.waits, wish), least);
  }

  /** Keeps the playhead in sight; still while all fits. */
  protected follow({axis, place: {plot}}: Built): number {
    const most = Math.max(0, axis.width - plot), x = axis.x(this.now);
    if (x - this.left > plot * 0.72) this.left = x - plot * 0.72;
    if (x - this.left < plot * 0.28) this.left = x - plot * 0.28;
    this.left = Math.min(most, Math.max(0, this.left));
    return this.left;
  }

  protected readonly glide = new Glide(() => this.requestUpdate());

  protected get now(): number {
    return this.glide.now;
  }

  // What only the page draws.

  protected get turning(): boolean {
    return false;
  }

  protected turn(_: Axis | null, axis: Axis): Axis {
    return axis;
  }

  protected hands(_: Built): unknown {
    return nothing;
  }

  /** Timers that do not decide. */
  protected timers(_: Built, __: number): unknown {
    return nothing;
  }

  protected grid(_: Built): unknown {
    return nothing;
  }

  protected labels(b: Built): {x: number; label: string}[] {
    return ticks(b.axis);
  }

  protected state(_: Built, __: number): unknown {
    return nothing;
  }

  protected arrows(b: Built, quiet: number): unknown {
    return arrows(b, quiet);
  }

  protected beats(_: Built, __: number): unknown {
    return nothing;
  }

  /** What answers to the pointer besides the playhead. */
  protected lifelines(_: Built): unknown {
    return nothing;
  }

  protected frame(b: Built, body: unknown, tall = b.place.height): TemplateResult {
    const {place: p} = b;
    return html`<svg width=${p.width} height=${tall} viewBox="0 0 ${p.width} ${tall}" role="group" aria-roledescription=${words.picture.role}
        aria-label=${words.picture.label(b.rows.length, b.group, this.run.end)} @pointerdown=${this.grab}>
      <defs><clipPath id="plot"><rect x=${p.gutter - 14} y="0" width=${p.plot + RIGHT + 14} height=${tall}/></clipPath></defs>
      ${body}</svg>`;
  }

  /** Everything over time. What does not move is guarded: it is drawn once. */
  protected plot(b: Built, scroll: number): SVGTemplateResult {
    const {axis, place: p, picture} = b, {now} = this;
    const wait = this.run.wait;
    const x = axis.x(now), shift = round(p.gutter - scroll);
    const ownership = this.bands !== 'messages', messages = this.bands !== 'ownership';
    const quiet = this.quiet(picture, b.group);
    const isDead = (n: Node, t: number) => lifeAt(picture, n, t) === 'dead';
    return svg`<g clip-path="url(#plot)"><g transform="translate(${shift} 0)">
      <defs><clipPath id="past"><rect x="-20" y="0" width=${Math.max(0, x + 20)} height=${p.height}/></clipPath>
        <clipPath id="ahead"><rect x=${x} y="0" width=${Math.max(0, axis.width - x + 1)} height=${p.height}/></clipPath></defs>
      ${guard([b], () => [ground(b), this.grid(b)])}
      ${tickLabels(b, this.labels(b), scroll, now, wait?.due)}${waitBar(axis, wait, now, p.wait, scroll, p.plot)}${this.state(b, scroll)}
      ${ownership ? svg`<g clip-path="url(#past)">${guard([b], () => laneMarks(b, false))}</g>
        <g class="ahead-g" clip-path="url(#ahead)">${guard([b], () => laneMarks(b, true))}</g>
        ${guard([b, scroll, x], () => laneLabels(b, scroll, now, isDead))}${this.hands(b)}` : nothing}
      ${messages ? svg`<g clip-path="url(#past)">${guard([b, quiet], () => [brokerLines(b, false), consumerLines(b, false)])}
          ${this.beats(b, scroll)}${guard([b, quiet], () => this.arrows(b, quiet))}</g>
        <g class="ahead-g" clip-path="url(#ahead)">${guard([b], () => [brokerLines(b, true), consumerLines(b, true), this.arrows(b, 0)])}</g>
        ${this.timers(b, scroll)}${decidingTimer(b, picture, b.group, wait, now, scroll, (n) => this.run.nameOf(n))}
        ${guard([b], () => this.lifelines(b))}${counts(b, quiet, now, (burst) => this.spread(burst))}` : nothing}
      ${guard([b], () => folds(b))}
      ${messages ? svg`${errorLabels(b, now, scroll)}${lifeLabels(b, now, scroll)}${lastSign(b, this.run, wait, scroll)}` : nothing}
      ${foldLabels(b, now, wait?.due ?? null)}${dueLine(axis, wait, now, p.bottom)}
    </g></g>`;
  }

  /** Before this time messages are grey: since then the group's last change is told. */
  private quiet(picture: Picture, group: string): number {
    const g = groupOf(picture, group), {now} = this;
    const left = [...(g?.states ?? [])].filter((s) => s.from <= now && (s.state === 'PreparingRebalance' || s.state === '')).pop();
    return left ? left.from - 1_000_000 : 0;
  }

  protected spread(burst: Burst): void {
    this.run.seek(burst.at);
  }

  /** Dragging in the picture moves the playhead. */
  private grab(e: PointerEvent): void {
    const built = this.built;
    if (!built || e.button !== 0 || (e.target as Element).closest('[role="button"], .spread, .hit')) return;
    const {gutter} = built.place, box = (e.currentTarget as Element).getBoundingClientRect();
    if (e.clientX - box.left < gutter) return;
    const move = (m: PointerEvent) => this.run.seek(built.axis.t(m.clientX - box.left - gutter + this.left));
    this.run.stop();
    drag(e, move);
  }
}
