// <lab-actions>: what can happen to a consumer or a broker, at the playhead.
// Only what is possible now; every action makes a branch and keeps this one.

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {Refusal} from '../engine/client.ts';
import type {Node} from '../engine/types.ts';
import {token} from '../ink.ts';
import {Piece} from '../piece.ts';
import {lifeAt, livesOf, spanAt} from '../run/look.ts';
import type {SharedRun} from '../run/shared.ts';
import {words} from '../words.ts';

interface Item {
  icon: string;
  label: string;
  about: string;
  key: string;
  do(): void;
}

type Sheet = 'main' | 'stall' | 'cut' | 'heal';

export class Actions extends Piece {
  static override properties = {...Piece.properties, node: {state: true}, sheet: {state: true}, fault: {state: true}};
  declare run: SharedRun;
  declare node: Node;
  declare sheet: Sheet;
  declare fault: string;

  private at = {x: 0, y: 0};
  private from: SVGElement | HTMLElement | null = null;
  private placed = false;

  constructor() {
    super();
    this.node = 0;
    this.sheet = 'main';
    this.fault = '';
  }

  open(node: Node, at: {x: number; y: number}, from: SVGElement | HTMLElement): void {
    this.run.stop();
    Object.assign(this, {node, sheet: 'main', fault: '', at, from, placed: false});
    this.requestUpdate();
  }

  close(): void {
    if (!this.node) return;
    this.leave();
    this.from?.focus();
  }

  private leave(): void {
    this.node = 0;
    this.dispatchEvent(new CustomEvent('lab-answered'));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.style.display = 'contents';
    addEventListener('pointerdown', this.outside);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('pointerdown', this.outside);
  }

  private readonly outside = (e: PointerEvent) => {
    if (this.node && !e.composedPath().includes(this)) this.leave();
  };

  private async act(line: string): Promise<void> {
    try {
      await this.run.act(line);
      this.close();
    } catch (error) {
      this.fault = error instanceof Refusal ? error.diagnostics[0]?.message ?? error.message : String(error);
    }
  }

  private get life() {
    return lifeAt(this.run.picture!, this.node, this.run.now);
  }

  private get static(): boolean {
    return Boolean(this.run.view?.consumers.find((c) => c.node === this.node)?.instance);
  }

  private get brokers(): Node[] {
    return this.run.scenario?.brokers ?? [];
  }

  /** As a command names it. */
  private get written(): string {
    return this.run.scenario?.consumers.find((c) => c.node === this.node)?.written ?? this.run.nameOf(this.node);
  }

  /** Links of this consumer that are cut now. */
  private get cuts(): Node[] {
    const cut = new Set<Node>();
    for (const e of this.run.events) {
      if (e.at > this.run.now) break;
      const pair = [e.node ?? 0, e.peer ?? 0];
      if (!pair.includes(this.node)) continue;
      const other = pair.find((n) => n !== this.node) ?? 0;
      if (e.kind === 'link-cut') cut.add(other);
      if (e.kind === 'link-healed') cut.delete(other);
    }
    return [...cut].filter((n) => n > 0);
  }

  private items(): Item[] {
    const {life, node} = this, a = words.act, name = this.written;
    const item = (icon: string, [label, about]: string[] | readonly string[], key: string, action: () => void): Item => ({icon, label: label!, about: about!, key, do: action});
    const runs = life === 'up' || life === 'parked' || life === 'stalled';
    if (node > 0) {
      return runs ? [item('✕', a.killBroker, 'x', () => this.act(`kill ${name}`)), item('↓', a.stopBroker, 's', () => this.act(`stop ${name}`))]
        : [item('↑', a.startBroker, 's', () => this.act(`start ${name}`))];
    }
    if (!runs) return [item('↑', this.static ? a.startStatic : a.start, 's', () => this.act(`start ${name}`))];
    const all = [item('✕', a.kill, 'x', () => this.act(`kill ${name}`)), item('↓', this.static ? a.stopStatic : a.stop, 's', () => this.act(`stop ${name}`))];
    if (life !== 'stalled') all.push(item('∥', a.stall, 't', () => (this.sheet = 'stall')));
    if (this.cuts.length < this.brokers.length) all.push(item('≠', a.cut, 'n', () => (this.sheet = 'cut')));
    if (this.cuts.length) all.push(item('=', a.heal, 'h', () => (this.sheet = 'heal')));
    return all;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.node || !this.run.picture) return nothing;
    const {run, sheet} = this;
    return html`<div class="menu" role=${sheet === 'stall' ? 'dialog' : 'menu'} aria-label=${words.stage.act(run.nameOf(this.node))} @keydown=${this.key}>
      ${this.head()}
      ${this.watching ? html`<p class="head-row soft">${words.room.onlyHost}</p>` : sheet === 'main' ? this.items().map((i) => this.row(i)) : sheet === 'stall' ? this.stall() : this.links(sheet)}
      ${this.fault ? html`<p class="fault" role="alert">✕ ${this.fault}</p>` : nothing}
      ${this.watching ? nothing : html`<div class="foot small soft">${words.act.foot(run.now, run.branch, (run.branches.find((b) => b.id === run.branch)?.extends ?? Infinity) <= run.now)}</div>`}</div>`;
  }

  /** In a room only the host acts. */
  private get watching(): boolean {
    return Boolean(this.run.conductor && !this.run.conductor.host);
  }

  private head(): TemplateResult {
    const {run, node, life} = this, since = spanAt(livesOf(run.picture!, node), run.now)?.from ?? 0;
    const consumer = run.view?.consumers.find((c) => c.node === node), broker = run.view?.brokers.find((b) => b.node === node);
    const member = run.view?.groups.flatMap((g) => g.members).find((m) => m.node === node);
    const what = since ? words.act.since(words.act.life[life]!, since) : words.act.life[life];
    return html`<div class="head-row" role="presentation">${token(run, node)}&ensp;<b class="strong">${what}</b><br><span class="small quiet">${
      node > 0 ? broker ? words.act.brokerFacts(broker.leads, broker.groups.length) : nothing
      : html`${consumer?.memberId ? html`${words.act.member}<code>${shortId(consumer.memberId)}</code>` : words.act.noMember}, ${words.act.onRecord(member?.assigned.length ?? 0)}`}</span></div>`;
  }

  private row(i: Item): TemplateResult {
    return html`<button type="button" class="row" role="menuitem" tabindex="-1" data-key=${i.key} @click=${i.do}><span class="ic" aria-hidden="true">${i.icon}</span><b>${i.label}</b><span class="soft">${i.about}</span><span class="key" aria-hidden="true">${i.key}</span></button>`;
  }

  private stall(): TemplateResult {
    const submit = (e: Event) => {
      e.preventDefault();
      const value = Number(this.querySelector<HTMLInputElement>('input')!.value.replace(',', '.'));
      if (!(value > 0 && value <= 86_400)) return void (this.fault = '0 to 86400 s');
      void this.act(`stall ${this.run.nameOf(this.node)} for ${Math.round(value * 1000)}ms`);
    };
    return html`<form @submit=${submit}><label for="stall">${words.act.stallFor}</label><input id="stall" inputmode="decimal" autocomplete="off" value="30"><span>${words.act.seconds}</span>
      <button type="submit" class="btn fill">${words.act.go}</button><button type="button" class="btn" @click=${() => (this.sheet = 'main')}>${words.act.back}</button></form>`;
  }

  private links(sheet: 'cut' | 'heal'): TemplateResult[] {
    const name = this.run.nameOf(this.node), cuts = this.cuts;
    const brokers = this.brokers.filter((b) => cuts.includes(b) === (sheet === 'heal'));
    const [label] = sheet === 'cut' ? words.act.cut : words.act.heal;
    return brokers.map((b) => this.row({icon: sheet === 'cut' ? '≠' : '=', label: label!.replace('…', ''), about: words.act.from(this.run.nameOf(b)), key: String(b), do: () => this.act(`${sheet} ${name} broker ${b}`)}));
  }

  private key(e: KeyboardEvent): void {
    const rows = [...this.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const i = rows.indexOf((this.getRootNode() as ShadowRoot).activeElement as HTMLElement);
    const go = (to: number) => rows[(to + rows.length) % rows.length]?.focus();
    if (e.key === 'ArrowDown') go(i + 1);
    else if (e.key === 'ArrowUp') go(i - 1);
    else if (e.key === 'Home' && rows.length) go(0);
    else if (e.key === 'End' && rows.length) go(rows.length - 1);
    else if (e.key === 'Escape' || (e.key === 'Tab' && rows.length)) {
      if (this.sheet === 'main') this.close();
      else this.sheet = 'main';
    } else {
      // The letters of an open menu act only while it is open.
      const hit = e.target instanceof HTMLInputElement ? undefined : rows.find((r) => r.dataset['key'] === e.key);
      e.stopPropagation();
      if (!hit) return;
      hit.click();
    }
    e.preventDefault();
    e.stopPropagation();
  }

  /** Places the menu beside where it was asked for, inside of the page; then it takes the focus. */
  protected override updated(changed: PropertyValues): void {
    const menu = this.querySelector<HTMLElement>('.menu');
    if (!menu) return;
    if (!this.placed) {
      const wide = menu.offsetWidth, tall = menu.offsetHeight;
      menu.style.position = 'fixed';
      const right = this.at.x + 14, left = this.at.x - 14 - wide;
      menu.style.left = `${right + wide + 8 <= innerWidth ? right : Math.max(8, left)}px`;
      // Mostly above, so that the time below stays in sight.
      menu.style.top = `${Math.max(56, Math.min(this.at.y - tall * 0.8, innerHeight - tall - 160))}px`;
      this.placed = true;
    }
    if (changed.has('node') || changed.has('sheet')) menu.querySelector<HTMLElement>('input, [role="menuitem"]')?.focus();
  }
}

/** `c3-5d0e8f6a…`: enough of an id to tell it from another. */
function shortId(id: string): string {
  return id.length > 14 ? `${id.slice(0, 11)}…` : id;
}

customElements.define('lab-actions', Actions);
