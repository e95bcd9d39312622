// <lab-share>: every way to pass on what is shown. It is always the same thing:
// the text of the branch and the moment.

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {count} from '../format.ts';
import {linkOf, textOf} from '../link/of.ts';
import {LinkError} from '../link/link.ts';
import {define, Piece} from '../piece.ts';
import type {SharedRun} from '../run/shared.ts';
import {words} from '../words.ts';
import './copy.ts';

export class Share extends Piece {
  static override properties = {...Piece.properties, fragment: {state: true}, fault: {state: true}, text: {state: true}, opening: {state: true}, noRoom: {state: true}};
  declare run: SharedRun;
  declare fragment: string;
  declare fault: string;
  declare text: string;
  declare opening: boolean;
  /** Why no room could be made. */
  declare noRoom: string;

  private key = '';

  constructor() {
    super();
    Object.assign(this, {fragment: '', fault: '', text: '', opening: false, noRoom: ''});
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.style.display = 'contents';
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const {run} = this, key = [run.branch, run.now, run.picked, run.group, run.spacing, run.rows, run.picture?.digest].join();
    if (key === this.key || run.playing) return;
    this.key = key;
    void this.make(key);
  }

  private async make(key: string): Promise<void> {
    try {
      const text = await textOf(this.run), fragment = await linkOf(this.run, text);
      if (key === this.key) Object.assign(this, {fragment, text, fault: ''});
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      this.fault = words.link[error.kind];
    }
  }

  private async open(): Promise<void> {
    if (this.opening) return;
    this.opening = true;
    this.noRoom = '';
    try {
      const {create} = await import('../room/door.ts');
      location.hash = await create(this.run);
    } catch (error) {
      this.noRoom = error instanceof Error ? error.message : String(error);
    } finally {
      this.opening = false;
    }
  }

  private get embed(): string {
    const at = Number((this.run.now / 1e6).toFixed(3));
    return `<script type="module" src="rebalance-lab.js"></script>\n<rebalance-lab at="${at}s"><pre>\n${escape(this.text)}</pre></rebalance-lab>`;
  }

  protected override render(): TemplateResult {
    const {fragment, fault, run} = this, s = words.share, address = `${location.origin}${location.pathname}${fragment}`;
    return html`<div class="menu pop share" role="dialog" aria-label=${s.title} tabindex="-1"><h2>${s.title}</h2>
      ${fault ? html`<p class="fault" role="alert">✕ ${fault}</p>`
        : !fragment ? html`<p class="quiet">${s.making}</p>`
        : html`<lab-copy class="share-way link" .label=${s.link} .text=${address} .about=${s.linkAbout(count(address.length), run.branch)}></lab-copy>
          <lab-copy class="share-way embed" .label=${s.embed} .text=${this.embed} .about=${s.embedAbout} .rows=${3}></lab-copy>
          <lab-copy class="share-way terminal" .label=${s.terminal} .text=${`rebalance run '${fragment}'`}></lab-copy>`}
      ${this.run.conductor ? nothing : html`<div class="share-way"><p><b class="strong">${s.room}</b></p><p class="small soft">${s.roomAbout}</p>
        <button type="button" class="btn fill" @click=${() => this.open()}>${this.opening ? s.creating : s.create}</button>
        ${this.noRoom ? html`<p class="fault" role="alert">✕ ${this.noRoom}</p>` : nothing}</div>`}</div>`;
  }
}

/** Text inside of an element. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

define('lab-share', Share);
