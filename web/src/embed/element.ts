// <rebalance-lab>: a scenario in any page. It stands still on a moment that
// says something, loads the engine when it comes into sight, and shares one
// worker with all others of the page. What it holds as content is shown until
// then, without JavaScript, and when something goes wrong.

import {LitElement, html, nothing, unsafeCSS, type CSSResult, type PropertyValues, type TemplateResult} from 'lit';
import base from '../style/base.css?inline';
import embed from '../style/embed.css?inline';
import pictureSheet from '../style/picture.css?inline';
import sentence from '../style/sentence.css?inline';
import tokens from '../style/tokens.css?inline';
import {Engine} from '../engine/client.ts';
import type {Diagnostic} from '../engine/types.ts';
import {takesSpace, timeKey} from '../keys.ts';
import {patterns} from '../picture/defs.ts';
import {define} from '../piece.ts';
import {Run} from '../run/run.ts';
import {words} from '../words.ts';
import '../sentence.ts';
import {complete} from './link.ts';
import {unwatch, watch} from './sight.ts';
import {textOf, timeOf} from './text.ts';

// Built, this file stands in the engine's folder, and the page beside it.
const here = import.meta.url;

/** Each width loads only its own picture. */
const layouts = {wide: () => import('./wide.ts'), down: () => import('../phone/phone.ts')};

/** Keys that scroll the page when the rail has not the focus. */
const PAGES = new Set(['PageUp', 'PageDown', 'Home', 'End']);

export class RebalanceLab extends LitElement {
  static override styles = [tokens, base, sentence, pictureSheet, embed].map((s) => unsafeCSS(s));
  static override properties = {
    src: {reflect: true}, at: {reflect: true}, group: {reflect: true}, href: {reflect: true},
    view: {reflect: true, useDefault: true}, theme: {reflect: true, useDefault: true},
    scenario: {attribute: false}, state: {state: true}, layout: {state: true},
  };

  declare src: string | null;
  declare at: string | null;
  declare group: string | null;
  declare href: string | null;
  declare view: 'ownership' | 'messages';
  declare theme: 'auto' | 'light' | 'dark' | 'contrast';
  declare state: 'waiting' | 'loading' | 'ready' | 'error';
  private declare layout: '' | keyof typeof layouts;
  /** The text that is played; setting it plays another. */
  declare scenario: string;

  readonly run = new Run(new Engine());
  private readonly width = new ResizeObserver(([entry]) => this.measured(entry!.contentRect.width));
  private seen = false;
  private told = -1;
  private attempt = 0;

  constructor() {
    super();
    Object.assign(this, {src: null, at: null, group: null, href: null, view: 'ownership', theme: 'auto', state: 'waiting', layout: '', scenario: ''});
    this.run.rest(true);
    this.run.follow(() => this.runChanged());
  }

  /** Seconds. */
  get now(): number {
    return this.run.now / 1e6;
  }

  get end(): number {
    return this.run.end / 1e6;
  }

  play(): void {
    this.run.play();
  }

  pause(): void {
    this.run.stop();
  }

  seek(to: number): void {
    this.run.stop();
    this.run.seek(to * 1e6);
  }

  /** To the next event, or to the one before. */
  step(direction: 1 | -1): void {
    this.run.step(direction > 0 ? this.run.next() : this.run.previous());
  }

  /** Carries out a line of the language at the playhead, on a new branch; rejects when that is not possible. */
  async act(line: string): Promise<void> {
    if (this.state !== 'ready') throw new Error(words.embed.notReady);
    await this.run.act(line);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    watch(this, (seen) => this.sight(seen));
    this.width.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    unwatch(this);
    this.width.disconnect();
    this.sight(false);
    // Whoever is only moved to another place is connected again at once.
    queueMicrotask(() => !this.isConnected && this.leave());
  }

  /** Its memory is free again; it begins anew when it comes back into sight. */
  private leave(): void {
    this.attempt++;
    this.run.stop();
    this.run.engine.close();
    this.state = 'waiting';
  }

  private sight(seen: boolean): void {
    this.seen = seen;
    this.run.rest(!seen);
    if (seen && this.state === 'waiting') void this.load();
  }

  private measured(width: number): void {
    const layout = width < 560 ? 'down' : 'wide';
    if (!width || layout === this.layout) return;
    this.layout = layout;
    if (this.state === 'ready') void this.bring();
  }

  /** The picture of this width, and its sheet. */
  private async bring(): Promise<void> {
    const brought = await layouts[this.layout || 'wide'](), root = this.renderRoot as ShadowRoot;
    const sheet = (brought as {sheet?: CSSResult}).sheet?.styleSheet;
    if (sheet && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  }

  private async load(): Promise<void> {
    const attempt = ++this.attempt, {run} = this;
    this.state = 'loading';
    try {
      const text = this.scenario || await textOf(this);
      if (attempt !== this.attempt) return;
      await Promise.all([run.open(this.src ?? '', '', text, timeOf(this.at)), this.bring()]);
      if (attempt !== this.attempt) return;
      if (run.picture && this.group) run.set({group: this.group});
      this.scenario = text;
    } catch (error) {
      if (attempt !== this.attempt) return;
      run.trouble = {message: error instanceof Error ? error.message : String(error), diagnostics: [], died: false};
    }
    if (run.trouble) this.fail(run.trouble.message, run.trouble.diagnostics);
    else {
      this.state = 'ready';
      this.tell('rebalance-ready', {end: this.end});
    }
  }

  private fail(message: string, diagnostics: Diagnostic[]): void {
    this.state = 'error';
    this.tell('rebalance-error', {message: diagnostics[0]?.message ?? message, diagnostics});
  }

  private runChanged(): void {
    const {run} = this;
    this.requestUpdate();
    if (this.state !== 'ready') return;
    if (run.trouble) this.fail(run.trouble.message, run.trouble.diagnostics);
    else if (run.now !== this.told) {
      this.told = run.now;
      this.tell('rebalance-time', {now: this.now});
    }
  }

  private tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, {bubbles: true, composed: true, detail}));
  }

  protected override updated(changed: PropertyValues<this>): void {
    const begun = this.state !== 'waiting';
    const other = changed.has('src') && changed.get('src') !== undefined;
    if (other) this.scenario = '';
    if (begun && (other || changed.has('scenario') && this.scenario && this.scenario !== this.run.text)) this.again();
    else if (this.state === 'ready' && changed.has('at') && this.at !== null) this.run.seek(timeOf(this.at) ?? this.run.now);
    else if (this.state === 'ready' && changed.has('group') && this.group) this.run.set({group: this.group});
  }

  private again(): void {
    this.attempt++;
    this.run.stop();
    this.state = 'waiting';
    if (this.seen) void this.load();
  }

  protected override render(): TemplateResult {
    const ready = this.state === 'ready';
    return html`${patterns}<div class="embed" role="group" aria-label=${words.embed.label} @keydown=${this.key}>
      ${ready ? this.picture() : html`${this.state === 'error' ? this.trouble() : nothing}<div class="fallback"><slot></slot></div>`}</div>`;
  }

  private picture(): TemplateResult {
    const {run} = this;
    const lab = this.href ?? new URL('../', here).href, near = (e: Event) => void complete(e, run, lab);
    const link = html`<a class="open" href=${lab} @pointerenter=${near} @focus=${near} @click=${near} aria-label=${words.embed.open.join('')}>${words.embed.open[0]}<span>${words.embed.open[1]}</span></a>`;
    return html`<lab-sentence .run=${run} part="say"></lab-sentence>${this.layout === 'down' ? html`<lab-phone .run=${run}></lab-phone>${link}`
      : html`<lab-wide .run=${run} .view=${this.view} .choose=${(view: RebalanceLab['view']) => (this.view = view)} .link=${link}></lab-wide>`}`;
  }

  private trouble(): TemplateResult {
    const {message, diagnostics, died} = this.run.trouble!;
    return html`<div class="error" role="alert"><b>✕ ${words.trouble.title}</b>
      ${diagnostics.length ? diagnostics.slice(0, 3).map((d) => html`<p>${words.embed.place(d.line, d.column)}${d.message}</p>`) : html`<p>${message}</p>`}
      ${died ? html`<p><button type="button" class="btn line" @click=${() => this.again()}>${words.trouble.replay}</button></p>` : nothing}</div>`;
  }

  /** The keys of the page, where they do not take those of the page around it. */
  private key(e: KeyboardEvent): void {
    const onRail = (e.composedPath()[0] as Element).getAttribute('role') === 'slider';
    if (this.state !== 'ready' || e.ctrlKey || e.altKey || e.metaKey || takesSpace(e) || PAGES.has(e.key) && !onRail) return;
    const action = timeKey(e, this.run);
    if (!action) return;
    e.preventDefault();
    action();
  }
}

define('rebalance-lab', RebalanceLab);
