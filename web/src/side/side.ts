// <lab-side>: the inspector. Three tabs about the same moment.

import {html, nothing, type TemplateResult} from 'lit';
import {Piece} from '../piece.ts';
import {words} from '../words.ts';
import './events.ts';
import './group.ts';
import './log.ts';

export type Tab = 'group' | 'log' | 'events';
const TABS: Tab[] = ['group', 'log', 'events'];

export class Side extends Piece {
  static override properties = {...Piece.properties, tab: {state: true}};
  declare tab: Tab;

  constructor() {
    super();
    this.tab = 'group';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.className = 'side';
    this.setAttribute('role', 'complementary');
    this.setAttribute('aria-label', words.bar.inspector);
  }

  show(tab: Tab, find = false): void {
    this.tab = tab;
    if (find) void this.updateComplete.then(() => requestAnimationFrame(() => this.querySelector<HTMLInputElement>('.find input')?.focus()));
  }

  /** Arrows move between tabs, as the pattern of the W3C asks. */
  private key(e: KeyboardEvent): void {
    const step = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    if (!step) return;
    e.preventDefault();
    this.tab = TABS[(TABS.indexOf(this.tab) + step + TABS.length) % TABS.length]!;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  }

  protected override render(): TemplateResult {
    const {run, tab} = this;
    return html`<div class="tabs" role="tablist" aria-label=${words.bar.inspector} @keydown=${this.key}>${TABS.map((t) => html`
        <button type="button" role="tab" id="tab-${t}" aria-controls="panel" aria-selected=${t === tab} tabindex=${t === tab ? 0 : -1} @click=${() => (this.tab = t)}>${words.side.tabs[t]}</button>`)}</div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby="tab-${tab}" tabindex="0">${
        !run.picture ? nothing
        : tab === 'group' ? html`<lab-group .run=${run}></lab-group>`
        : tab === 'log' ? html`<lab-log .run=${run}></lab-log>`
        : html`<lab-events .run=${run}></lab-events>`}</div>`;
  }
}

customElements.define('lab-side', Side);
