// <lab-down>: the picture on a phone. Time runs down: partitions and lifelines
// are columns, arrows go across. The marks are those of the wide picture with x
// and y changed places; only words and heads are drawn here.

import {html, nothing, svg, type TemplateResult} from 'lit';
import {guard} from 'lit/directives/guard.js';
import {drag} from '../drag.ts';
import type {Node, Picture} from '../engine/types.ts';
import {define, Piece, Sized} from '../piece.ts';
import {coordinatorAt, groupOf, livesOf} from '../run/look.ts';
import {words} from '../words.ts';
import {Glide} from './glide.ts';
import {downAxis, type Down, type Told} from './downaxis.ts';
import {downDue, downGaps, downHeads, downNow, downTimes, downWait} from './downmarks.ts';
import {fitDown, FOOT, HEAD, placeDown} from './downplace.ts';
import {laneMarks, round, type Band} from './lanes.ts';
import {legend} from './legend.ts';
import {arrows, brokerLines, consumerLines, type Scene} from './messages.ts';
import {fontsOf} from './measure.ts';
import {lanesOf, partitionRows} from './rows.ts';
import {table} from './table.ts';

export interface DownBuilt extends Scene, Band, Pick<Down, 'gaps' | 'labels'> {
  picture: Picture;
  group: string;
}

export class DownPicture extends Sized {
  static override properties = {...Piece.properties, acts: {attribute: false}};
  /** Heads open what can happen to them. */
  declare acts: boolean;

  private built: DownBuilt | null = null;
  private key: unknown[] = [];
  private top = 0;
  private readonly glide = new Glide(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    this.className = 'down';
    fontsOf(this);
  }

  private build(): DownBuilt | null {
    const {run, size: {width, height}} = this, {picture, scenario} = run;
    if (!picture || !scenario || !width || height < 120) return null;
    const key = [picture, run.group, run.spacing, width, height];
    if (this.built && key.every((k, i) => k === this.key[i])) return this.built;
    this.key = key;
    const members = [...new Set([...scenario.consumers.filter((c) => c.group === run.group).map((c) => c.node), ...scenario.groups.find((g) => g.id === run.group)?.consumers ?? []])];
    const coordinators = picture.coordinators.filter((c) => c.group === run.group);
    const brokers = scenario.brokers.filter((b) => coordinators.some((c) => c.node === b)).slice(0, 3);
    const matters = (n: Node) => livesOf(picture, n).some((s) => s.state === 'dead' || s.state === 'stalled');
    const {rows, consumers} = fitDown(width, partitionRows(lanesOf(picture, run.group), (n) => run.nameOf(n)), brokers.length, members,
      {row: (row) => row.spans.some((s) => s.state === 'stuck'), consumer: matters});
    const place = placeDown(width, height, rows.length, brokers.length, consumers.length);
    const told: Told = {picture, group: groupOf(picture, run.group), rows, brokers, consumers};
    this.built = {
      ...downAxis(told, place.plot - 16, run.spacing === 'causal'), picture, group: run.group, rows, place, hues: run.hues, brokers, consumers, coordinators,
      lives: new Map([...brokers, ...consumers].map((n) => [n, livesOf(picture, n)])), dense: false,
    };
    return this.built;
  }

  /** Keeps the playhead in sight; still while all fits. */
  private follow({axis, place: {plot}}: DownBuilt): number {
    const most = Math.max(0, axis.width + 16 - plot), y = axis.x(this.glide.now);
    if (y - this.top > plot * 0.72) this.top = y - plot * 0.72;
    if (y - this.top < plot * 0.28) this.top = y - plot * 0.28;
    this.top = Math.min(most, Math.max(0, this.top));
    return this.top;
  }

  protected override render(): TemplateResult | typeof nothing {
    const b = this.build();
    if (!b) return nothing;
    const {run} = this, {place: p, axis} = b, group = groupOf(b.picture, b.group);
    this.glide.step(axis, run.now, run.stepped);
    const {now} = this.glide, {wait} = run, top = this.follow(b), shift = round(HEAD + 10 - top), y = axis.x(now);
    const began = group?.states.findLast((s) => s.from <= now && (s.state === 'PreparingRebalance' || s.state === ''));
    const quiet = began ? began.from - 1_000_000 : 0;
    const across = (content: unknown) => svg`<g transform="matrix(0 1 1 0 0 0)">${content}</g>`;
    return html`<svg width=${p.width} height=${p.height} viewBox="0 0 ${p.width} ${p.height}" role="group" aria-roledescription=${words.picture.role} aria-label=${words.phone.label(b.group)} @pointerdown=${this.grab}>
      <defs><clipPath id="down-plot"><rect x="-16" y=${HEAD} width=${p.width + 32} height=${p.plot}/></clipPath>
        <clipPath id="down-past"><rect x="-20" y="-20" width=${Math.max(0, y + 20)} height=${p.width + 40}/></clipPath>
        <clipPath id="down-ahead"><rect x=${y} y="-20" width=${Math.max(0, axis.width - y + 2)} height=${p.width + 40}/></clipPath></defs>
      ${downHeads(b, run, now, coordinatorAt(b.picture, b.group, now), this.acts ? (node, e) => this.ask(node, e) : null)}
      <g clip-path="url(#down-plot)"><g transform="translate(0 ${shift})">
        ${across(svg`<g clip-path="url(#down-past)">${guard([b, quiet], () => [laneMarks(b, false), brokerLines(b, false), consumerLines(b, false), arrows(b, quiet)])}</g>
          <g class="ahead-g" clip-path="url(#down-ahead)">${guard([b], () => [laneMarks(b, true), brokerLines(b, true), consumerLines(b, true), arrows(b, 0)])}</g>`)}
        ${downWait(b, run, wait, now)}${downTimes(b, now, wait, top)}${downGaps(b, now, wait, top)}${downDue(b, now, wait)}${downNow(b, now)}
      </g></g>
      <g aria-hidden="true">${legend(p.width, p.legend, 'ownership')}</g>
      <rect class="hit rule" x="0" y=${HEAD} width=${HEAD} height=${Math.max(0, p.height - HEAD - FOOT)}/></svg>${table(run)}`;
  }

  private ask(node: Node, e: Event): void {
    e.preventDefault();
    e.stopPropagation();
    const from = e.currentTarget as SVGElement, box = from.getBoundingClientRect();
    this.dispatchEvent(new CustomEvent('lab-ask', {bubbles: true, composed: true, detail: {node, at: {x: box.left, y: box.bottom}, from}}));
  }

  /** Dragging up and down moves the playhead. */
  private grab(e: PointerEvent): void {
    const b = this.built;
    if (!b || e.button !== 0 || (e.target as Element).closest('[role="button"]')) return;
    // A finger scrolls the page, unless the picture is the page or it drags in the column of times.
    if (e.pointerType === 'touch' && !this.acts && !(e.target as Element).closest('.rule')) return;
    const {top} = (e.currentTarget as Element).getBoundingClientRect();
    this.run.stop();
    drag(e, (m) => this.run.seek(b.axis.t(m.clientY - top - HEAD - 10 + this.top)));
  }
}

define('lab-down', DownPicture);
