// <lab-time>: transport above, one rail per branch below.

import {html, nothing, svg, type TemplateResult} from 'lit';
import {guard} from 'lit/directives/guard.js';
import {drag} from '../drag.ts';
import {memberNode} from '../engine/members.ts';
import {count, seconds} from '../format.ts';
import {Sized} from '../piece.ts';
import {firstAfter} from '../run/look.ts';
import {SPEEDS} from '../run/run.ts';
import type {SharedRun} from '../run/shared.ts';
import {headline, plain, words} from '../words.ts';
import {loudest} from './caption.ts';
import {button, icon} from './icons.ts';
import {rail, railsHeight, railTop, RAIL_LEFT, RAIL_RIGHT, type Rail} from './rails.ts';

const FIRST = 'M3 3h2v10H3zM13 3v10L6 8z', LAST = 'M11 3h2v10h-2zM3 3v10l7-5z';

export class Time extends Sized {
  private get width(): number {
    return this.size.width;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.className = 'time';
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', words.time.slider);
  }

  protected override render(): TemplateResult {
    const {run} = this;
    const go = (t: () => number) => () => {
      run.stop();
      run.seek(t());
    };
    const next = firstAfter(run.events, run.now, () => true);
    return html`<div class="transport">
      ${button(words.transport.first, FIRST, go(() => 0))}${icon('previous', () => run.step(run.previous()))}
      ${this.watching ? html`<span class="soft watch">${run.playing ? words.room.plays : words.room.pauses}</span>` : run.playing ? icon('pause', () => run.stop(), 'fill') : icon('play', () => run.play(), 'fill')}
      ${icon('next', () => run.step(run.next()))}${button(words.transport.last, LAST, go(() => run.end))}
      <span class="clock">${seconds(run.now)}${run.late ? ` ${words.time.late}` : nothing}</span>
      <span class="cap">${this.caption()}</span>
      ${this.watching ? nothing : html`<span class="seg" role="group" aria-label=${words.transport.speed}>${SPEEDS.map((s) => html`<button type="button" aria-pressed=${run.speed === s} @click=${() => run.set({speed: s})}>${words.transport.speeds[String(s)]}</button>`)}</span>`}
      <button type="button" class="btn line" aria-disabled=${next ? 'false' : 'true'} @click=${() => next && run.step(run.next())}>${next ? words.transport.next(next.at - run.now) : words.time.atEnd}</button>
    </div>${this.width && run.picture ? this.rails() : nothing}`;
  }

  /** In a room only the host plays. */
  private get watching(): boolean {
    const {conductor} = this.run as SharedRun;
    return Boolean(conductor && !conductor.host);
  }

  private caption(): TemplateResult | string {
    const {run} = this, told = loudest(run);
    if (!told) return words.time.before;
    return html`<span class="quiet ago">${words.transport.event(told.index + 1, run.events.length, run.now - told.event.at)}</span>${told.text}`;
  }

  private rails(): TemplateResult {
    const {run, width} = this, branches = run.branches;
    const x = this.x, current = Math.max(0, branches.findIndex((b) => b.id === run.branch));
    const s = run.situation ? plain(headline(run.situation), (n) => run.nameOf(n)) : '';
    const height = railsHeight(branches.length, innerHeight < 860 || width < 900), y = railTop(current), at = x(run.now);
    return html`<div class="rails"><svg class="scrub" width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="slider" tabindex="0" aria-label=${words.time.slider}
        aria-valuemin="0" aria-valuemax=${Math.round(run.end / 1e5) / 10} aria-valuenow=${Math.round(run.now / 1e5) / 10} aria-valuetext=${words.time.value(run.here + 1, run.events.length, run.now, s)}
        @pointerdown=${this.grab}>
      ${svg`<path class="now-line" d="M${at} ${y - 26}V${y + 12}"/>`}${guard([run.pictures.size, branches, run.branch, width, run.picture], () => branches.map((b, i) => rail(this.rail(b.id, i))))}
      ${svg`<path class="rail on" d="M${RAIL_LEFT} ${y}H${at}"/><circle class="mark" cx=${at} cy=${y} r="7"/>`}</svg></div>`;
  }

  private readonly x = (t: number) => Math.round((RAIL_LEFT + (this.width - RAIL_LEFT - this.right) * t / Math.max(1, this.run.end)) * 10) / 10;

  /** Narrow pages have no room for numbers at the right. */
  private get right(): number {
    return this.width < 700 ? 12 : RAIL_RIGHT;
  }

  private rail(id: number, i: number): Rail {
    const {run} = this, branch = run.branches[i]!;
    const picture = run.pictures.get(id);
    return {
      branch, index: i, current: id === run.branch, x: this.x, width: this.width, y: railTop(i), parentY: railTop(Math.max(0, run.branches.findIndex((b) => b.id === branch.parent))),
      events: picture?.events ?? [], group: run.group, name: (n) => run.nameOf(n), member: (m) => memberNode(picture?.events ?? [], m), numbers: this.right === RAIL_RIGHT,
      choose: () => void run.choose(id), stopped: count(Math.round(branch.stopped / 1e6)),
    };
  }

  /** Dragging seeks; dragging up or down to another rail changes the branch. */
  private grab(e: PointerEvent): void {
    if (e.button !== 0) return;
    const {run} = this, element = e.currentTarget as SVGElement, box = element.getBoundingClientRect();
    const at = (m: PointerEvent) => run.end * (m.clientX - box.left - RAIL_LEFT) / (this.width - RAIL_LEFT - this.right);
    const rowOf = (m: PointerEvent) => run.branches.findIndex((_, i) => Math.abs(m.clientY - box.top - railTop(i)) <= 15);
    const move = (m: PointerEvent) => {
      const branch = run.branches[rowOf(m)];
      if (branch && branch.id !== run.branch) void run.choose(branch.id).then(() => run.seek(at(m)));
      else run.seek(at(m));
    };
    if (e.clientX - box.left < RAIL_LEFT - 10) {
      const branch = run.branches[rowOf(e)];
      if (branch) void run.choose(branch.id);
      return;
    }
    run.stop();
    element.focus();
    drag(e, move);
  }
}

customElements.define('lab-time', Time);
