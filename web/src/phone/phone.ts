// <lab-phone>: what stands between the sentence and the foot where there is no
// room for two bands: the picture and, on the page, the group and the text.

import {html, nothing, unsafeCSS, type PropertyValues, type TemplateResult} from 'lit';
import {seconds} from '../format.ts';
import '../picture/down.ts';
import {define, Piece} from '../piece.ts';
import phone from '../style/phone.css?inline';
import {icon} from '../time/icons.ts';
import {firstAfter} from '../run/look.ts';
import {words} from '../words.ts';

/** Of the shadow root that shows it; the element takes it along with this file. */
export const sheet = unsafeCSS(phone);

type Tab = 'picture' | 'group' | 'scenario';

/** What the page has besides: its tabs with their names, and the line of the event under the playhead, from which the events open. */
export interface Panels extends Record<'group' | 'events' | 'scenario', () => TemplateResult> {
  names: Record<Tab | 'events', string>;
  said: (open: boolean, toggle: () => void) => TemplateResult;
}

class Phone extends Piece {
  static override properties = {...Piece.properties, panels: {attribute: false}, tab: {state: true}};
  declare panels: Panels | undefined;
  declare tab: Tab | 'events';

  constructor() {
    super();
    this.tab = 'picture';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.className = 'phone';
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('run')) this.run.spacing = 'causal'; // bursts have no room on a clock
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.run.set({spacing: 'clock'});
  }

  protected override render(): TemplateResult {
    const {run} = this, other = this.tab !== 'picture' && this.panels?.[this.tab];
    return html`<div class="heads">${this.panels ? this.tabs(this.panels.names) : nothing}<span class="grow"></span>${other ? nothing : this.spacing()}</div>
      ${other ? html`<div class="panel side" role=${this.tab === 'events' ? 'region' : 'tabpanel'} tabindex="0" aria-label=${this.panels!.names[this.tab]}>${other()}</div>` : html`<lab-down .run=${run} .acts=${Boolean(this.panels)}></lab-down>`}
      ${this.panels?.said(this.tab === 'events', () => (this.tab = this.tab === 'events' ? 'picture' : 'events')) ?? nothing}${this.foot()}`;
  }

  private tabs(names: Panels['names']): TemplateResult {
    const all = ['picture', 'group', 'scenario'] as const, here = this.tab === 'events' ? '' : this.tab;
    const move = (e: KeyboardEvent) => {
      const step = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
      if (!step) return;
      e.preventDefault();
      this.tab = all[(all.indexOf(here || 'picture') + step + all.length) % all.length]!;
      void this.updateComplete.then(() => this.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
    };
    return html`<div class="tabs" role="tablist" @keydown=${move}>${all.map((t) => html`<button type="button" role="tab" aria-selected=${t === here} tabindex=${t === (here || 'picture') ? 0 : -1} @click=${() => (this.tab = t)}>${names[t]}</button>`)}</div>`;
  }

  private spacing(): TemplateResult {
    const {run} = this;
    return html`<span class="seg" role="group" aria-label=${words.picture.spacingLabel}>${(['clock', 'causal'] as const).map((s) => html`<button type="button" aria-pressed=${run.spacing === s} @click=${() => run.set({spacing: s})}>${words.picture.spacing[s]}</button>`)}</span>`;
  }

  private foot(): TemplateResult {
    const {run} = this, next = firstAfter(run.events, run.now, () => true);
    return html`<div class="controls" role="group" aria-label=${words.time.slider} part="time">
      ${icon('previous', () => run.step(run.previous()))}${run.playing ? icon('pause', () => run.stop(), 'fill') : icon('play', () => run.play(), 'fill')}${icon('next', () => run.step(run.next()))}
      <span class="clock" role="slider" tabindex="0" aria-label=${words.time.slider} aria-valuemin="0" aria-valuemax=${run.end / 1e6} aria-valuenow=${Math.round(run.now / 1e5) / 10} aria-valuetext=${seconds(run.now)}>${seconds(run.now)}${run.late ? ` ${words.time.late}` : nothing}</span>
      <button type="button" class="btn line" aria-disabled=${next ? 'false' : 'true'} @click=${() => next && run.step(run.next())}>${next ? html`${words.phone.next}<span>${words.phone.nextOn(next.at - run.now)}</span>` : words.time.atEnd}</button></div>`;
  }
}

define('lab-phone', Phone);
