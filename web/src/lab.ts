// <lab-page>: the page. It owns the run, the address and the keys, and
// shows the gallery or the workspace.

import {LitElement, html, nothing, unsafeCSS, type TemplateResult} from 'lit';
import base from './style/base.css?inline';
import gallery from './style/gallery.css?inline';
import lab from './style/lab.css?inline';
import menu from './style/menu.css?inline';
import phoneSheet from './style/phone.css?inline';
import pictureSheet from './style/picture.css?inline';
import sentence from './style/sentence.css?inline';
import sideSheet from './style/side.css?inline';
import timeSheet from './style/time.css?inline';
import './gallery/gallery.ts';
import type {Stage} from './picture/stage.ts';
import {readAddress, writeAddress} from './address.ts';
import {Engine} from './engine/client.ts';
import type {Node} from './engine/types.ts';
import {examples} from './gallery/scenarios.ts';
import {onKey} from './keys.ts';
import type {Actions} from './menu/actions.ts';
import {said} from './phone/said.ts';
import {patterns} from './picture/defs.ts';
import type {Bands} from './picture/place.ts';
import {Run} from './run/run.ts';
import type {Side, Tab} from './side/side.ts';
import {seconds} from './format.ts';
import {themeNow, setTheme, THEMES, type Theme} from './theme.ts';
import {headline, plain, words} from './words.ts';

export class Lab extends LitElement {
  static override styles = [base, sentence, lab, pictureSheet, sideSheet, timeSheet, menu, gallery, phoneSheet].map((s) => unsafeCSS(s));
  static override properties = {popup: {state: true}, withSide: {state: true}, narrow: {state: true}, phone: {state: true}, band: {state: true}, scenario: {state: true}};

  declare popup: '' | 'help' | 'theme';
  declare withSide: boolean;
  declare narrow: boolean;
  declare phone: boolean;
  declare band: Exclude<Bands, 'both'>;
  declare scenario: string;

  readonly run = new Run(new Engine());
  private readonly small = matchMedia('(max-width: 899px)');
  private readonly smallest = matchMedia('(max-width: 559px)');
  private writing = 0;

  constructor() {
    super();
    this.popup = '';
    this.withSide = false;
    this.narrow = this.small.matches;
    this.phone = this.smallest.matches;
    this.band = 'ownership';
    this.scenario = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.run.follow(() => this.runChanged());
    addEventListener('hashchange', this.hashChanged);
    addEventListener('keydown', this.key);
    this.small.addEventListener('change', (e) => (this.narrow = e.matches));
    this.smallest.addEventListener('change', (e) => (this.phone = e.matches));
    this.hashChanged();
  }

  private readonly hashChanged = () => {
    const {scenario, at, branch} = readAddress(location.hash);
    this.popup = '';
    // The elements of the workspace come by themselves; on a first visit when nothing else is to do.
    if (scenario) void import('./workspace.ts');
    else setTimeout(() => void import('./workspace.ts'), 1500);
    const opened = scenario !== this.scenario;
    this.scenario = scenario;
    if (!scenario) {
      this.run.stop();
      document.title = words.name;
    } else if (opened || this.run.name !== scenario) this.open(scenario, at);
    else if (this.run.pictures.has(branch)) {
      void this.run.choose(branch).then(() => at !== undefined && this.run.seek(at, true));
    }
  };

  private open(name: string, at: number | undefined): void {
    const example = examples.find((e) => e.name === name);
    if (example) void this.run.open(name, example.question, example.text, at);
    else {
      this.run.trouble = {message: words.trouble.unknown(name), diagnostics: [], died: false};
      this.run.name = name;
      this.requestUpdate();
    }
  }

  private runChanged(): void {
    const {run} = this;
    if (run.trouble || !run.playing) this.requestUpdate();
    // While playing the address waits: it is not a log of the frames.
    clearTimeout(this.writing);
    if (!run.picture || run.playing || run.name !== this.scenario) return;
    this.writing = window.setTimeout(() => {
      const hash = writeAddress({scenario: this.scenario, at: run.now, branch: run.branch});
      // Somebody may have gone elsewhere meanwhile; that address is theirs.
      if (hash !== location.hash && this.scenario === run.name && readAddress(location.hash).scenario === run.name) history.replaceState(null, '', hash);
      if (run.situation) document.title = `${words.name}: ${plain(headline(run.situation), (n) => run.nameOf(n))}`;
    }, 250);
  }

  private readonly key = (e: KeyboardEvent) => onKey(e, this.run, {
    workspace: Boolean(this.scenario && this.run.picture),
    popup: (which) => this.toggle(which),
    ...this.phone ? {} : {find: () => this.showSide('events', true), why: () => this.showSide('events')},
    act: () => this.actOnNext(),
    gallery: () => (location.hash = ''),
    escape: () => this.escape(),
  });

  private toggle(which: '' | 'help' | 'theme'): void {
    this.popup = this.popup === which ? '' : which;
    if (this.popup) void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.pop')?.focus());
  }

  private escape(): boolean {
    const open = this.popup || this.withSide;
    if (this.popup) this.renderRoot.querySelector<HTMLElement>(`[data-pop="${this.popup}"]`)?.focus();
    else if (this.withSide) this.renderRoot.querySelector<HTMLElement>('.side-toggle')?.focus();
    this.popup = '';
    this.withSide = false;
    return Boolean(open);
  }

  private showSide(tab: Tab, find = false): void {
    this.withSide = true;
    void this.updateComplete.then(() => this.renderRoot.querySelector<Side>('lab-side')?.show(tab, find));
  }

  /** f: the first consumer; the arrow keys go on from there. */
  private actOnNext(): void {
    this.renderRoot.querySelector<SVGElement>('g[data-node][tabindex="0"]')?.focus();
  }

  private asked(e: CustomEvent<{node: Node; at: {x: number; y: number}; from: Element}>): void {
    this.renderRoot.querySelector<Actions>('lab-actions')?.open(e.detail.node, e.detail.at, e.detail.from as SVGElement);
  }

  protected override render(): TemplateResult {
    return html`${patterns}${this.scenario ? this.workspace() : html`<div class="welcome">${this.bar()}<lab-gallery></lab-gallery></div>`}`;
  }

  private workspace(): TemplateResult {
    const {run} = this;
    return html`<div class="lab ${this.phone ? 'small' : this.withSide ? 'with-side' : ''}" @lab-ask=${this.asked}>
      ${this.bar()}
      ${run.trouble ? this.trouble() : html`
      <main class="say-and-stage">
        <lab-say .run=${run}></lab-say>
        ${this.phone ? html`<lab-phone .run=${run} .panels=${this.panels}></lab-phone>` : html`<lab-stage .run=${run} .bands=${this.narrow ? this.band : 'both'}></lab-stage>`}
        <lab-actions .run=${run} @lab-answered=${() => this.renderRoot.querySelector<Stage>('lab-stage')?.answered()}></lab-actions>
      </main>
      ${this.phone ? nothing : html`<lab-side .run=${run}></lab-side><lab-time .run=${run}></lab-time>`}`}
    </div>`;
  }

  /** What a phone shows beside the picture. */
  private readonly panels = {
    group: () => html`<lab-group .run=${this.run}></lab-group>`,
    scenario: () => html`<lab-text .run=${this.run}></lab-text>`,
    said: () => said(this.run),
  };

  private bar(): TemplateResult {
    const {run} = this, open = Boolean(this.scenario);
    return html`<header class="bar">
      ${open ? html`<a class="name" href="#" title=${words.bar.gallery}>${words.name}</a><span class="sep"></span><span class="title">${run.title}</span>
        ${run.scenario ? html`<span class="chip">${words.bar.kafka(run.scenario.release)}</span>` : nothing}` : html`<span class="name">${words.name}</span>`}
      <span class="grow"></span>
      ${open ? html`<span class="seg band-switch" role="group" aria-label="band">${(['ownership', 'messages'] as const).map((b) => html`<button type="button" aria-pressed=${this.band === b} @click=${() => (this.band = b)}>${b === 'ownership' ? words.picture.ownership : words.picture.messages}</button>`)}</span>
        <button type="button" class="btn side-toggle" aria-expanded=${this.withSide} @click=${() => (this.withSide = !this.withSide)}>${words.bar.inspector}</button>
        <a class="btn wide" href="#">${words.bar.gallery}<span class="key">g</span></a>` : nothing}
      <button type="button" class="btn" data-pop="theme" aria-expanded=${this.popup === 'theme'} aria-haspopup="menu" @click=${() => this.toggle('theme')}>${words.bar.theme}</button>
      <span class="sep"></span>
      <button type="button" class="btn icon" data-pop="help" aria-label=${words.bar.help} aria-expanded=${this.popup === 'help'} @click=${() => this.toggle('help')}>?</button>
      ${this.popup === 'help' ? this.help() : this.popup === 'theme' ? this.themes() : nothing}
    </header>`;
  }

  private help(): TemplateResult {
    return html`<div class="menu pop" role="dialog" aria-label=${words.help.title} tabindex="-1"><h2>${words.help.title}</h2>
      <dl>${words.help.keys.map(([key, does]) => html`<dt>${key.split(' ').map((k) => html`<kbd>${k}</kbd> `)}</dt><dd>${does}</dd>`)}</dl></div>`;
  }

  private themes(): TemplateResult {
    const now = themeNow();
    return html`<div class="menu pop themes" role="menu" aria-label=${words.bar.theme} tabindex="-1">${THEMES.map((t: Theme) => html`
      <button type="button" class="row" role="menuitemradio" aria-checked=${t === now} @click=${() => {
        setTheme(t);
        this.escape();
      }}><span class="ic" aria-hidden="true">${t === now ? '•' : ''}</span><span>${words.bar.themes[t]}</span></button>`)}</div>`;
  }

  private trouble(): TemplateResult {
    const {message, diagnostics, died} = this.run.trouble!;
    return html`<main class="say-and-stage"><div class="say"><h1 class="head">${died ? words.trouble.died : words.trouble.title}</h1>
      <div class="error" role="alert">✕ ${diagnostics.length ? nothing : message}${diagnostics.map((d) => html`<p><b>${words.trouble.line(d.line)}</b>${d.message}</p>`)}
      <p>${died && this.run.text ? html`<button type="button" class="btn fill" @click=${() => this.run.replay()}>${words.trouble.replay}</button>` : nothing}
      <a class="btn line" href="#">${words.trouble.back}</a></p></div></div></main>`;
  }
}

export {seconds};
customElements.define('lab-page', Lab);
