// <lab-copy>: a text to take along, with its button.

import {LitElement, html, nothing, type TemplateResult} from 'lit';
import {define} from '../piece.ts';
import {words} from '../words.ts';

let numbers = 0;

export class Copy extends LitElement {
  static override properties = {label: {}, text: {}, about: {}, rows: {type: Number}, secret: {type: Boolean}, copied: {state: true}};
  declare label: string;
  declare text: string;
  declare about: string;
  declare rows: number;
  /** Not readable over a shoulder. */
  declare secret: boolean;
  declare copied: boolean;

  private readonly field = `copy-${++numbers}`;

  constructor() {
    super();
    Object.assign(this, {label: '', text: '', about: '', rows: 1, secret: false, copied: false});
  }

  protected override createRenderRoot(): this {
    return this;
  }

  private async copy(): Promise<void> {
    this.querySelector<HTMLInputElement>(`#${this.field}`)?.select();
    try {
      await navigator.clipboard.writeText(this.text);
    } catch {
      document.execCommand('copy'); // pages without https have no clipboard of their own
    }
    this.copied = true;
  }

  protected override render(): TemplateResult {
    const {field, text, rows} = this;
    return html`<label for=${field}>${this.label}</label>
      <div class="share-row">${rows > 1 ? html`<textarea id=${field} readonly rows=${rows} .value=${text} spellcheck="false"></textarea>`
        : html`<input id=${field} readonly type=${this.secret ? 'password' : 'text'} autocomplete="off" spellcheck="false" .value=${text}>`}
        <button type="button" class="btn line" @click=${() => this.copy()}>${this.copied ? words.share.copied : words.share.copy}</button></div>
      ${this.about ? html`<p class="small soft">${this.about}</p>` : nothing}<p class="away" role="status">${this.copied ? words.share.copied : ''}</p>`;
  }
}

define('lab-copy', Copy);
