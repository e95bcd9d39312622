// <lab-versions>: what changed between two releases of Kafka; one end is the
// release of the run, which can be played on the other one.

import {html, LitElement, nothing, type TemplateResult} from 'lit';
import {Refusal} from '../engine/client.ts';
import {textOf} from '../link/of.ts';
import {beside} from '../menu/beside.ts';
import {define} from '../piece.ts';
import {edit} from '../run/edit.ts';
import type {SharedRun} from '../run/shared.ts';
import sheet from '../style/versions.css?inline';
import {words} from '../words.ts';
import {changes, lineOf, otherEnd, releaseOf, withKafka, type Behaviour, type Differs, type Eras} from './changes.ts';

/** What a scenario runs on that says nothing else. */
const DEFAULT = '3.9';

const style = new CSSStyleSheet();
style.replaceSync(sheet);

let table: Promise<Eras> | undefined;

/** The table of eras, fetched once. */
function fetchEras(): Promise<Eras> {
  table ??= fetch('engine/eras.json').then((r) => r.ok ? r.json() as Promise<Eras> : Promise.reject(new Error(r.statusText)));
  table.catch(() => (table = undefined));
  return table;
}

export class Versions extends LitElement {
  static override properties = {run: {attribute: false}, beside: {attribute: false}, eras: {state: true}, from: {state: true}, to: {state: true}, fault: {state: true}};
  /** null where nothing runs. */
  declare run: SharedRun | null;
  /** What it stands beside. */
  declare beside: HTMLElement | null;
  declare eras: Eras | null;
  declare from: string;
  declare to: string;
  declare fault: string;

  constructor() {
    super();
    Object.assign(this, {run: null, beside: null, eras: null, from: '', to: '', fault: ''});
  }

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.style.display = 'contents';
    const root = this.getRootNode() as ShadowRoot;
    if (!root.adoptedStyleSheets.includes(style)) root.adoptedStyleSheets.push(style);
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      const eras = await fetchEras(), from = releaseOf(eras, this.run?.scenario?.kafka ?? DEFAULT);
      Object.assign(this, {eras, from, to: otherEnd(eras, from)});
      if (older(eras, this.to, from)) this.swap(); // time runs from left to right
    } catch {
      this.fault = words.versions.failed;
    }
    await this.updateComplete;
    const menu = this.querySelector<HTMLElement>('.pop');
    if (!menu) return;
    beside(menu, this.beside);
    (menu.querySelector<HTMLElement>('select') ?? menu).focus({preventScroll: true});
  }

  private readonly swap = () => Object.assign(this, {from: this.to, to: this.from});

  protected override render(): TemplateResult {
    const {eras, from, to} = this, w = words.versions;
    return html`<div class="menu pop versions" role="dialog" aria-label=${w.title} tabindex="-1">${!eras ? this.fault ? nothing : html`<p class="quiet">${w.loading}</p>`
      : html`<h2>${w.between[0]}${this.choice(eras, 'from')}${w.between[1]}${this.choice(eras, 'to')}${w.between[2]}
          <button type="button" class="btn icon" aria-label=${w.swap} title=${w.swap} @click=${this.swap}>⇄</button></h2>
        ${this.differences(eras)}
        <p class="small quiet note" role="status">${w.patches(from, to)}</p>${this.elsewhere(eras)}`}
      ${this.fault ? html`<p class="fault" role="alert">✕ ${this.fault}</p>` : nothing}</div>`;
  }

  private choice(eras: Eras, end: 'from' | 'to'): TemplateResult {
    return html`<select aria-label=${words.versions[end]} @change=${(e: Event) => Object.assign(this, {[end]: (e.target as HTMLSelectElement).value, fault: ''})}>
      ${eras.releases.map((r) => html`<option value=${r} .selected=${r === this[end]}>${lineOf(r)}</option>`)}</select>`;
  }

  private differences(eras: Eras): TemplateResult {
    const {from, to} = this, w = words.versions, c = changes(eras, from, to);
    if (![c.gained, c.lost, c.configs, c.apis].some((list) => list.length)) return html`<p>${w.nothing(lineOf(from), lineOf(to))}</p>`;
    return html`${this.behaviours('+', w.gained(c.gained.length), c.gained)}${this.behaviours('−', w.lost(c.lost.length), c.lost)}
      ${this.values(w.configs(c.configs.length), c.configs)}${this.values(w.apis(c.apis.length), c.apis)}`;
  }

  private behaviours(sign: string, title: string, all: Behaviour[]): TemplateResult | typeof nothing {
    const w = words.versions;
    return all.length ? html`<h3>${title}</h3><ul>${all.map((b) => html`<li><span class="sign" aria-hidden="true">${sign}</span><span>${b.meaning}</span><span class="small quiet">${(b.came ? w.came : w.went)(b.at)}</span></li>`)}</ul>` : nothing;
  }

  private values(title: string, all: Differs[]): TemplateResult | typeof nothing {
    const w = words.versions, value = (text: string) => text || w.none;
    return all.length ? html`<h3>${title}</h3><ul>${all.map((d) => html`<li class="value"><code>${d.name}</code><span class="num">${w.arrow(value(d.before), value(d.after))}</span></li>`)}</ul>` : nothing;
  }

  /** The same commands on the release that the run is not on. */
  private elsewhere(eras: Eras): TemplateResult | typeof nothing {
    const {run} = this, w = words.versions;
    if (!run?.scenario || (run.conductor && !run.conductor.host)) return nothing;
    const mine = releaseOf(eras, run.scenario.kafka), other = this.to === mine ? this.from : this.to;
    return other === mine ? nothing : html`<p class="more"><button type="button" class="btn fill" @click=${() => this.play(lineOf(other))}>${w.play(lineOf(other))}</button> <span class="small soft">${w.playAbout}</span></p>`;
  }

  private async play(version: string): Promise<void> {
    const run = this.run!;
    try {
      await edit(run, withKafka(await textOf(run), version));
      this.dispatchEvent(new CustomEvent('lab-done'));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const [first] = error.diagnostics;
      this.fault = first ? words.versions.refused(first.line, first.message) : error.message;
    }
  }
}

function older(eras: Eras, a: string, b: string): boolean {
  return eras.releases.indexOf(a) < eras.releases.indexOf(b);
}

define('lab-versions', Versions);
