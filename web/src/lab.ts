// <lab-page>: the page. It owns the run, the address and the keys, and shows
// the gallery or the workspace. What is not on the first picture (the editor,
// sharing, links) comes when it is asked for.

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
import {exampleAddress, readAddress, type Address} from './address.ts';
import {Engine} from './engine/client.ts';
import type {Diagnostic, Node} from './engine/types.ts';
import {examples} from './gallery/scenarios.ts';
import {onKey} from './keys.ts';
import type {Actions} from './menu/actions.ts';
import {help, themes} from './menu/pops.ts';
import type {Panels} from './phone/phone.ts';
import {said} from './phone/said.ts';
import {patterns} from './picture/defs.ts';
import type {Bands} from './picture/place.ts';
import type {Room} from './room/room.ts';
import {define} from './piece.ts';
import {replay} from './run/edit.ts';
import {SharedRun} from './run/shared.ts';
import type {Side, Tab} from './side/side.ts';
import {titleOf} from './title.ts';
import {headline, plain, words} from './words.ts';

type Popup = '' | 'help' | 'theme' | 'share' | 'room' | 'rules' | 'versions';

export class Lab extends LitElement {
  static override styles = [base, sentence, lab, pictureSheet, sideSheet, timeSheet, menu, gallery, phoneSheet].map((s) => unsafeCSS(s));
  static override properties = {popup: {state: true}, withSide: {state: true}, editing: {state: true}, faults: {state: true}, narrow: {state: true}, phone: {state: true}, band: {state: true}, place: {state: true}, notice: {state: true}, room: {state: true}};

  declare popup: Popup;
  declare withSide: boolean;
  declare editing: boolean;
  /** What is wrong with the text in the editor; the run is the last one that worked. */
  declare faults: Diagnostic[];
  declare narrow: boolean;
  declare phone: boolean;
  declare band: Exclude<Bands, 'both'>;
  declare place: Address;
  /** What was wrong with the address. */
  declare notice: string;
  /** The room that this page is in. */
  declare room: Room | null;

  private readonly engine = new Engine();
  readonly run = new SharedRun(this.engine);
  private readonly small = matchMedia('(max-width: 899px)');
  private readonly smallest = matchMedia('(max-width: 559px)');
  private writing = 0;
  /** The rule that is read, '' all; and the button that opened it. */
  private rule = '';
  private opener: HTMLElement | null = null;
  /** The address that this page has written for what it shows. */
  private written = '';
  /** The address that was last looked at; another one is news that has not come yet. */
  private seen = '';

  constructor() {
    super();
    Object.assign(this, {popup: '', withSide: false, editing: false, faults: [], narrow: this.small.matches, phone: this.smallest.matches, band: 'ownership', place: {kind: 'gallery'}, notice: '', room: null});
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.run.follow(() => this.runChanged());
    addEventListener('hashchange', this.hashChanged);
    addEventListener('keydown', this.key);
    addEventListener('pointerdown', this.outside);
    this.small.addEventListener('change', (e) => (this.narrow = e.matches));
    this.smallest.addEventListener('change', (e) => (this.phone = e.matches));
    this.hashChanged();
  }

  private readonly hashChanged = () => {
    const place = readAddress(this.seen = location.hash), {run} = this;
    clearTimeout(this.writing);
    this.popup = '';
    this.notice = '';
    // The elements of the workspace come by themselves; on a first visit when nothing else is to do.
    if (place.kind !== 'gallery') void import('./workspace.ts');
    else setTimeout(() => void import('./workspace.ts'), 1500);
    const before = this.place;
    this.place = place;
    if (this.room && !(place.kind === 'room' && this.room.code === place.code)) this.leaveRoom();
    if (place.kind === 'gallery') {
      run.stop();
      document.title = words.name;
      if (place.rule) this.showRule({rule: place.rule, from: null});
    } else if (location.hash === this.written && run.picture) return; // it is still there
    else if (place.kind === 'example') this.openExample(place.name, place.at, before);
    else if (place.kind === 'link') void this.openLink(place.fragment);
    else void this.enter(place);
  };

  private openExample(name: string, at: number | undefined, before: Address): void {
    const {run} = this, example = examples.find((e) => e.name === name);
    if (!example) this.refuse(words.refusal.unknown(name));
    else if (run.name === name && run.picture && before.kind !== 'gallery') {
      void run.choose(1).then(() => at !== undefined && run.seek(at, true)); // another moment of the same
    } else void run.open(name, example.question, example.text, at);
  }

  private async openLink(fragment: string): Promise<void> {
    const {place} = this;
    const [{openLink}, {LinkError}] = await Promise.all([import('./link/of.ts'), import('./link/link.ts')]);
    if (this.place !== place) return;
    try {
      await openLink(this.run, fragment, words.link.untitled);
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      this.refuse(words.link[error.kind]);
    }
  }

  private async enter(address: Address & {kind: 'room'}): Promise<void> {
    const {enter} = await import('./room/door.ts');
    if (this.place !== address || this.room) return; // somebody has gone elsewhere meanwhile
    this.editing = false;
    if (address.token) this.popup = 'room'; // the code, large, for the class
    const room = this.room = enter(this.run, this.engine, address);
    this.seen = location.hash;
    room.follow(() => {
      this.requestUpdate();
      // There is no such room, or the host link is wrong: nothing has been seen of it.
      if (room === this.room && room.state === 'over' && !room.clock) {
        this.leaveRoom();
        this.refuse(words.room.notFound(room.code, room.reason));
      }
    });
  }

  private leaveRoom(): void {
    this.room?.leave();
    this.room = null;
  }

  /** The run stays, with an address of its own. */
  private leaveForCopy(): void {
    this.leaveRoom();
    this.popup = '';
    this.place = {kind: 'link', fragment: ''};
    this.runChanged();
  }

  /** The address leads nowhere: the gallery says why. */
  private refuse(message: string): void {
    history.replaceState(null, '', location.pathname + location.search);
    this.seen = '';
    this.place = {kind: 'gallery'};
    this.notice = message;
    document.title = words.name;
  }

  private runChanged(): void {
    const {run} = this;
    if (run.trouble || !run.playing) this.requestUpdate();
    // While playing the address waits: it is not a log of the frames.
    clearTimeout(this.writing);
    if (run.picture && !run.playing && (this.place.kind === 'example' || this.place.kind === 'link')) this.writing = window.setTimeout(() => void this.writeAddress(), 250);
  }

  /** A branch as it stands in the gallery has a short address; everything else is in the address itself. */
  private async writeAddress(): Promise<void> {
    const {run, place} = this, branch = run.branch, now = run.now;
    const hash = run.branch === 1 && run.name ? exampleAddress(run.name, now) : await import('./link/of.ts').then(({linkOf}) => linkOf(run)).catch(() => '');
    // Somebody may have gone elsewhere meanwhile; that address is theirs.
    if (!hash || location.hash !== this.seen || place !== this.place || branch !== run.branch || now !== run.now) return;
    this.written = hash;
    if (hash !== location.hash) history.replaceState(null, '', hash);
    this.seen = location.hash;
    if (run.situation) document.title = `${words.name}: ${plain(headline(run.situation), (n) => run.nameOf(n))}`;
  }

  private readonly key = (e: KeyboardEvent) => onKey(e, this.run, {
    workspace: Boolean(this.place.kind !== 'gallery' && this.run.picture),
    popup: (which) => this.toggle(which),
    ...this.phone ? {} : {edit: () => this.edit(!this.editing), find: () => this.showSide('events', true), why: () => this.showSide('events')},
    act: () => this.actOnNext(),
    gallery: () => (location.hash = ''),
    escape: () => this.escape(),
  });

  /** A click elsewhere closes a menu; the code of a room stays as long as a class needs it. */
  private readonly outside = (e: PointerEvent) => {
    if (this.popup && this.popup !== 'room' && !e.composedPath().some((n) => n instanceof Element && n.matches('.bar, .rule-no'))) this.popup = '';
  };

  private toggle(which: Popup): void {
    this.popup = this.popup === which ? '' : which;
    if (this.popup === 'share') void import('./share/share.ts');
    if (this.popup === 'rules') void import('./rules/rules.ts');
    if (this.popup === 'versions') void import('./versions/versions.ts');
    this.opener = this.shadowRoot!.activeElement as HTMLElement | null;
    this.rule = '';
    if (this.popup) void this.updateComplete.then(() => requestAnimationFrame(() => this.renderRoot.querySelector<HTMLElement>('.pop')?.focus()));
  }

  /** A rule beside what names it; once more closes it. */
  private showRule({rule, from}: {rule: string; from: HTMLElement | null}): void {
    const again = from && this.popup === 'rules' && this.opener === from;
    this.popup = '';
    this.toggle('rules');
    Object.assign(this, {rule, opener: from});
    if (again) this.escape();
  }

  private edit(open: boolean): void {
    this.editing = open;
    this.faults = []; // the editor keeps its text and says again what is wrong with it
    if (!open) return void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[data-edit]')?.focus());
    this.popup = '';
    void import('./editor/editor.ts').then(() => this.updateComplete).then(() => this.renderRoot.querySelector<HTMLElement>('lab-editor')?.focus());
  }

  private escape(): boolean {
    const open = this.popup || this.withSide;
    if (this.popup) this.giveBack();
    else if (this.withSide) this.renderRoot.querySelector<HTMLElement>('.side-toggle')?.focus();
    this.popup = '';
    this.withSide = false;
    return Boolean(open);
  }

  /** The focus goes back to what opened the popup; if that is gone, to where it can be opened again. */
  private giveBack(): void {
    const named = (pop: string) => this.renderRoot.querySelector<HTMLElement>(`[data-pop="${pop}"]`);
    for (const e of [this.rule ? this.opener : named(this.popup), this.opener, named('help')]) {
      e?.focus();
      if (e && this.shadowRoot!.activeElement === e) return;
    }
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
    return html`${patterns}${this.place.kind !== 'gallery' ? this.workspace() : html`<div class="welcome">${this.bar()}<lab-gallery .notice=${this.notice}></lab-gallery></div>`}`;
  }

  private workspace(): TemplateResult {
    const {run, editing, faults} = this;
    return html`<div class="lab ${this.phone ? 'small' : `${this.withSide ? 'with-side' : ''} ${editing ? 'with-editor' : ''}`} ${faults.length ? 'stale' : ''}" @lab-ask=${this.asked}
        @lab-room-toggle=${() => this.toggle('room')} @lab-room-leave=${() => this.leaveForCopy()}
        @lab-rule=${(e: CustomEvent<{rule: string; from: HTMLElement}>) => this.showRule(e.detail)}
        @lab-faults=${(e: CustomEvent<Diagnostic[]>) => (this.faults = e.detail)} @lab-close=${() => this.edit(false)}>
      ${this.bar()}
      ${editing && !this.phone ? html`<lab-editor .run=${run} .engine=${this.engine}></lab-editor>` : nothing}
      ${run.trouble ? this.trouble() : html`
      <main class="say-and-stage">
        ${faults.length ? this.stale() : html`<lab-say .run=${run}></lab-say>`}
        ${this.phone ? html`<lab-phone .run=${run} .panels=${this.panels}></lab-phone>` : html`<lab-stage .run=${run} .bands=${this.narrow ? this.band : 'both'}></lab-stage>`}
        <lab-actions .run=${run} @lab-answered=${() => this.renderRoot.querySelector<Stage>('lab-stage')?.answered()}></lab-actions>
      </main>
      ${this.phone ? nothing : html`<lab-side .run=${run}></lab-side><lab-time .run=${run}></lab-time>`}`}
    </div>`;
  }

  /** What a phone shows beside the picture. */
  private readonly panels: Panels = {
    names: words.phoneTabs,
    group: () => html`<lab-group .run=${this.run}></lab-group>`,
    events: () => html`<lab-events .run=${this.run}></lab-events>`,
    scenario: () => {
      void import('./editor/editor.ts');
      return html`<lab-editor .run=${this.run} .engine=${this.engine}></lab-editor>`;
    },
    said: (open, toggle) => said(this.run, open, toggle),
  };

  private bar(): TemplateResult {
    const {run} = this, open = this.place.kind !== 'gallery';
    return html`<header class="bar">
      ${open ? html`<a class="name" href="#" title=${words.bar.gallery}>${words.name}</a><span class="sep"></span><span class="title" dir="auto">${(run.branch > 1 && titleOf(run.scenario?.text ?? '')) || run.title}</span>
        ${run.scenario ? html`<button type="button" class="chip" data-pop="versions" title=${words.versions.title} aria-haspopup="dialog" aria-expanded=${this.popup === 'versions'} @click=${() => this.toggle('versions')}>${words.bar.kafka(run.scenario.release)}</button>` : nothing}` : html`<span class="name">${words.name}</span>`}
      <span class="grow"></span>
      ${this.room ? html`<lab-room .run=${run} .room=${this.room} .open=${this.popup === 'room'}></lab-room>` : nothing}
      ${open ? html`<span class="seg band-switch" role="group" aria-label=${words.bar.band}>${(['ownership', 'messages'] as const).map((b) => html`<button type="button" aria-pressed=${this.band === b} @click=${() => (this.band = b)}>${words.picture[b]}</button>`)}</span>
        <button type="button" class="btn side-toggle" aria-expanded=${this.withSide} @click=${() => (this.withSide = !this.withSide)}>${words.bar.inspector}</button>
        <button type="button" class="btn" data-edit aria-expanded=${this.editing} @click=${() => this.edit(!this.editing)}>${words.editor.title}<span class="key">e</span></button>
        ${this.pop('share', html`${words.share.open}<span class="key">s</span>`)}
        <a class="btn wide" href="#">${words.bar.gallery}<span class="key">g</span></a>`
      : html`<button type="button" class="btn" @click=${() => this.renderRoot.querySelector<HTMLElement>('#join-code')?.focus()}>${words.room.join}</button>`}
      ${this.pop('theme', words.bar.theme)}
      <span class="sep"></span>
      <button type="button" class="btn icon" data-pop="help" aria-label=${words.bar.help} aria-expanded=${this.popup === 'help'} @click=${() => this.toggle('help')}>?</button>
      ${this.opened()}
    </header>`;
  }

  private opened(): TemplateResult | typeof nothing {
    const {run} = this;
    switch (this.popup) {
      case 'help':
        return help((which) => this.toggle(which));
      case 'theme':
        return themes(() => this.escape());
      case 'share':
        return html`<lab-share .run=${run}></lab-share>`;
      case 'rules':
        return html`<lab-rules .rule=${this.rule} .from=${this.rule ? this.opener : null}></lab-rules>`;
      case 'versions':
        return html`<lab-versions .run=${this.place.kind === 'gallery' ? null : run} .beside=${this.renderRoot.querySelector<HTMLElement>('.chip')} @lab-done=${() => this.escape()}></lab-versions>`;
    }
    return nothing;
  }

  private pop(which: Popup, label: unknown): TemplateResult {
    return html`<button type="button" class="btn" data-pop=${which} aria-expanded=${this.popup === which} aria-haspopup=${which === 'theme' ? 'menu' : 'dialog'} @click=${() => this.toggle(which)}>${label}</button>`;
  }

  /** While the text is wrong the last run stays. */
  private stale(): TemplateResult {
    const [first] = this.faults;
    return html`<section class="say"><p><b class="strong">${words.editor.stale}</b> ${words.editor.staleUntil(first!.line)}</p>
      <p class="away" role="status">${words.editor.staleSpoken(this.faults.length, first!.line, first!.message)}</p></section>`;
  }

  private trouble(): TemplateResult {
    const {message, diagnostics, died} = this.run.trouble!, text = this.run.text;
    return html`<main class="say-and-stage"><div class="say"><h1 class="head">${died ? words.refusal.died : words.trouble.title}</h1>
      <div class="error" role="alert">✕ ${diagnostics.length ? nothing : message}${diagnostics.map((d) => html`<p><b>${words.refusal.line(d.line)}</b>${d.message}</p>`)}
      <p>${died && text ? html`<button type="button" class="btn fill" @click=${() => replay(this.run)}>${words.trouble.replay}</button>` : nothing}
      ${diagnostics.length && !this.editing ? html`<button type="button" class="btn fill" @click=${() => this.edit(true)}>${words.editor.mend}</button>` : nothing}
      <a class="btn line" href="#">${words.refusal.back}</a></p></div></div></main>`;
  }
}

define('lab-page', Lab);
