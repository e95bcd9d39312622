// <lab-rules>: a rule of the engine beside the place that names it, or all rules
// with a search. The text is engine/SPEC.md, taken in as it is when it is asked for.

import {html, LitElement, nothing, type PropertyValues, type TemplateResult} from 'lit';
import spec from '../../../engine/SPEC.md?raw';
import {beside} from '../menu/beside.ts';
import {define} from '../piece.ts';
import sheet from '../style/rules.css?inline';
import {words} from '../words.ts';
import {matches, methodsOf, parseRules, type Rule} from './spec.ts';

const rules = parseRules(spec), methods = methodsOf(spec);

const style = new CSSStyleSheet();
style.replaceSync(sheet);

export class Rules extends LitElement {
  static override properties = {rule: {}, from: {attribute: false}, query: {state: true}, all: {state: true}};
  /** The rule that is shown alone; '' all of them. */
  declare rule: string;
  /** What it stands beside; null: below the bar. */
  declare from: HTMLElement | null;
  declare query: string;
  /** Whether the rest was asked for. */
  declare all: boolean;

  constructor() {
    super();
    Object.assign(this, {rule: '', from: null, query: '', all: false});
  }

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.style.display = 'contents';
    const root = this.getRootNode() as ShadowRoot;
    if (!root.adoptedStyleSheets.includes(style)) root.adoptedStyleSheets.push(style);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('rule')) this.all = false;
  }

  protected override render(): TemplateResult {
    const one = this.all ? undefined : rules.find((r) => r.id === this.rule);
    return one ? this.alone(one) : this.list();
  }

  private alone(r: Rule): TemplateResult {
    const w = words.rules;
    return html`<div class="menu pop rule" role="dialog" aria-labelledby="rule-id" aria-describedby="rule-text" tabindex="-1">
      <h2 id="rule-id">${w.rule(r.id)} <span class="quiet">${w.holds(r.versions)}</span></h2>
      <p id="rule-text">${code(r.text)}</p>${this.mirrors(r)}
      <button type="button" class="btn" @click=${() => (this.all = true)}>${w.all}</button></div>`;
  }

  private mirrors(r: Rule): TemplateResult | typeof nothing {
    return r.kafka.length ? html`<p class="small soft mirrors">${words.rules.kafka} ${r.kafka.map((name, i) => html`${i ? ', ' : ''}<code>${name}</code>`)}</p>` : nothing;
  }

  private list(): TemplateResult {
    const w = words.rules, found = rules.filter((r) => matches(r, this.query));
    const sections = [...new Set(found.map((r) => r.section))];
    return html`<div class="menu pop rules" role="dialog" aria-labelledby="rules-title" tabindex="-1">
      <div class="rules-head"><h2 id="rules-title">${w.title}</h2>
        <input type="search" aria-label=${w.find} placeholder=${w.placeholder} autocomplete="off" spellcheck="false" .value=${this.query} @input=${(e: Event) => (this.query = (e.target as HTMLInputElement).value)} @keydown=${this.key}>
        <span class="small quiet" role="status">${w.found(found.length, rules.length)}</span></div>
      ${sections.map((s) => html`<h3>${s}</h3><dl>${found.filter((r) => r.section === s).map((r) => html`
        <dt class=${r.id === this.rule ? 'strong' : ''} data-rule=${r.id}>${r.id}</dt><dd>${r.versions ? html`<span class="quiet">${w.holds(r.versions)}</span> ` : nothing}${code(r.text)}${this.mirrors(r)}</dd>`)}</dl>`)}
      ${found.length ? html`<p class="small quiet note">${code(methods)}</p>` : html`<p class="quiet">${w.none}</p>`}</div>`;
  }

  /** Escape empties the field first. */
  private readonly key = (e: KeyboardEvent) => {
    if (e.key !== 'Escape' || !this.query) return;
    this.query = '';
    e.preventDefault();
    e.stopPropagation();
  };

  protected override updated(changed: PropertyValues): void {
    const menu = this.querySelector<HTMLElement>('.pop')!;
    if (!changed.has('rule') && !changed.has('all') && !changed.has('from')) return;
    beside(menu, menu.matches('.rule') ? this.from : null);
    const place = this.all && this.querySelector<HTMLElement>(`[data-rule="${this.rule}"]`);
    if (place) menu.scrollTop = place.offsetTop - menu.clientHeight / 3;
    (menu.querySelector('input') ?? menu).focus({preventScroll: true});
  }
}

/** What stands between backticks is code. */
function code(text: string): unknown[] {
  return text.split('`').map((part, i) => i % 2 ? html`<code>${part}</code>` : part);
}

define('lab-rules', Rules);
