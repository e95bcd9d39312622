// Why an event came out as it did: the guard that decided, and its rule.

import {html, nothing, type TemplateResult} from 'lit';
import type {EngineEvent} from '../engine/types.ts';
import {words, type Names} from '../words.ts';

/** A member id as brokers make it; in quotes it is meant itself, not whose it is. */
const ID = /("?)([^\s"]+?)-([\da-f]{8})-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** A guard in the names of the page. */
export function guardText(guard: string, names: Names): string {
  return guard.replace(ID, (id: string, quote: string, client: string, first: string) => {
    const node = quote ? 0 : names.member(id);
    return node ? names.name(node) : `${quote}${client}-${first}…`;
  });
}

/** `because: member generation 3 < group generation 4 · HB-1`; the number opens its rule. */
export function because(e: EngineEvent, names: Names): TemplateResult | typeof nothing {
  if (!e.rule) return nothing;
  const open = (click: MouseEvent) => {
    const from = click.currentTarget as HTMLElement;
    from.dispatchEvent(new CustomEvent('lab-rule', {detail: {rule: e.rule, from}, bubbles: true, composed: true}));
  };
  return html`<span class="because" title=${e.guard ?? nothing}>${words.rules.because(guardText(e.guard ?? '', names))}<span class="nobr">${e.guard ? words.rules.dot : nothing}<button type="button" class="rule-no" aria-haspopup="dialog" aria-label=${words.rules.rule(e.rule)} @click=${open}>${e.rule}</button></span></span>`;
}
