// <lab-share>: every way to pass on what is shown. It is always the same thing:
// the text of the branch and the moment.

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {count} from '../format.ts';
import {linkOf} from '../link/of.ts';
import {LinkError} from '../link/link.ts';
import {Piece} from '../piece.ts';
import {words} from '../words.ts';

export class Share extends Piece {
  static override properties = {...Piece.properties, fragment: {state: true}, fault: {state: true}, copied: {state: true}, text: {state: true}};
  declare fragment: string;
  declare fault: string;
  declare copied: string;
  declare text: string;

  private key = '';

  constructor() {
    super();
    Object.assign(this, {fragment: '', fault: '', copied: '', text: ''});
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
      const [fragment, text] = [await linkOf(this.run), await this.run.textNow()];
      if (key === this.key) Object.assign(this, {fragment, text, fault: ''});
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      this.fault = error.message;
    }
  }

  private async copy(which: string, text: string): Promise<void> {
    const field = this.querySelector<HTMLInputElement>(`#share-${which}`);
    field?.select();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      document.execCommand('copy'); // pages without https have no clipboard of their own
    }
    this.copied = which;
  }

  private field(which: string, label: string, text: string, about: string, rows = 1): TemplateResult {
    return html`<div class="share-way"><label for="share-${which}">${label}</label>
      <div class="share-row">${rows > 1 ? html`<textarea id="share-${which}" readonly rows=${rows} .value=${text} spellcheck="false"></textarea>`
        : html`<input id="share-${which}" readonly .value=${text} spellcheck="false">`}
        <button type="button" class="btn line" @click=${() => this.copy(which, text)}>${this.copied === which ? words.share.copied : words.share.copy}</button></div>
      ${about ? html`<p class="small soft">${about}</p>` : nothing}</div>`;
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
        : html`${this.field('link', s.link, address, s.linkAbout(count(address.length), run.branch))}
          ${this.field('embed', s.embed, this.embed, s.embedAbout, 3)}
          ${this.field('terminal', s.terminal, `rebalance run '${fragment}'`, '')}`}
      <p class="away" role="status">${this.copied ? s.copied : ''}</p></div>`;
  }
}

/** Text inside of an element. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

customElements.define('lab-share', Share);
