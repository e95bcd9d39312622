// <lab-gallery>: the first visit. Each card is a question; its lanes are drawn
// from the scenario itself, played by the engine.

import {LitElement, html, nothing, svg, type TemplateResult} from 'lit';
import {Engine} from '../engine/client.ts';
import {exampleAddress} from '../address.ts';
import {typed} from '../room/protocol.ts';
import {words} from '../words.ts';
import {mini, miniOf, type Mini} from './mini.ts';
import {examples, type Example} from './scenarios.ts';

/** Kept for the page's life: coming back shows them at once. */
const minis = new Map<string, Mini | null>();

export class Gallery extends LitElement {
  static override properties = {notice: {attribute: false}};
  /** Why this is not what the address named; '' nothing. */
  declare notice: string;

  private engine: Engine | null = null;

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.style.display = 'contents';
    void this.draw();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.engine?.close();
    this.engine = null;
  }

  /** One scenario after the other, in a worker that ends with the gallery. */
  private async draw(): Promise<void> {
    const missing = examples.filter((e) => !minis.has(e.name));
    if (!missing.length) return;
    const engine = this.engine ??= new Engine();
    for (const e of missing) {
      try {
        const scenario = await engine.open(e.text);
        minis.set(e.name, miniOf(await engine.play(1), scenario));
      } catch {
        if (this.engine !== engine) return;
        minis.set(e.name, null);
      }
      this.requestUpdate();
    }
    engine.close();
    if (this.engine === engine) this.engine = null;
  }

  protected override render(): TemplateResult {
    const g = words.gallery;
    return html`<main class="say-and-stage"><div class="hello">${this.notice ? html`<p class="error" role="alert">✕ ${this.notice}</p>` : nothing}<h1>${g.question}</h1><p>${g.about}</p></div>
      <ul class="cards">${examples.map((e) => html`<li>${this.card(e)}</li>`)}</ul></main>
      <aside class="begin" aria-label=${g.start}><h2>${g.start}</h2><p class="lead">${g.startTitle}</p><p class="soft">${g.startText}</p>
        <a class="btn fill" href=${exampleAddress(examples[0]?.name ?? '', 0)}>${g.open}</a>
        <form class="join" @submit=${join}><label for="join-code">${words.room.join}</label>
        <input id="join-code" name="code" required @input=${(e: Event) => (e.target as HTMLInputElement).setCustomValidity('')} autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="9" placeholder=${words.room.example} aria-label=${words.room.joinCode}><button class="btn line">${words.room.go}</button></form>
        <h2>${g.how}</h2><table class="key-t"><tbody>
        <tr><td>${key(svg`<g class="m1"><rect class="own" x="1" y="1" width="34" height="13" rx="2"/><text class="b" x="6" y="12">c1</text></g>`)}</td><td>${g.reads}</td></tr>
        <tr><td>${key(svg`<rect class="gap" x="0" y="1" width="36" height="13"/>`)}</td><td>${g.nobody}</td></tr>
        <tr><td>${key(svg`<g class="m2"><rect class="deadgap" x="1" y="1" width="34" height="13"/></g>`)}</td><td>${g.stuck}</td></tr>
        <tr><td>${key(svg`<path class="mark" d="M18 3l-5 9h10z"/>`)}</td><td>${g.did}</td></tr></tbody></table>
        <h2>${g.inside}</h2>${g.steps.map((s) => html`<p class="soft">${s}</p>`)}</aside>
      <footer class="foot small quiet">${g.foot}</footer>`;
  }

  private card(e: Example): TemplateResult {
    const m = minis.get(e.name);
    return html`<a class="card" href=${exampleAddress(e.name)}><div class="mini" aria-hidden="true">${m ? mini(m) : m === null ? html`<p class="small quiet">${words.gallery.failed}</p>` : nothing}</div>
      <h2>${e.question}</h2><p>${e.about.split(/([a-z_]+(?:\.[a-z]+){2,}|__consumer_offsets(?:-\d+)?)/).map((part, i) => i % 2 ? html`<code>${part}</code>` : part)}</p></a>`;
  }
}

function join(e: SubmitEvent): void {
  e.preventDefault();
  const field = (e.target as HTMLFormElement).elements.namedItem('code') as HTMLInputElement;
  const code = typed(field.value);
  field.setCustomValidity(/^[0-9A-Z]{6}$/.test(code) ? '' : words.room.badCode(field.value.trim()));
  if (field.reportValidity()) location.hash = `#room=${code}`;
}

function key(content: unknown): TemplateResult {
  return html`<svg width="36" height="16" aria-hidden="true">${content}</svg>`;
}

customElements.define('lab-gallery', Gallery);
