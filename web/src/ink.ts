// Turns the parts of words.ts into marks on the page.

import {html, nothing, type TemplateResult} from 'lit';
import type {Node} from './engine/types.ts';
import {lifeAt} from './run/look.ts';
import type {Run} from './run/run.ts';
import type {Part} from './words.ts';

/** Somebody: hue and letter; hatched when dead or stuck. A broker has no hue. */
export function token(run: Run, node: Node, dead = isDown(run, node)): TemplateResult {
  const name = run.nameOf(node), kind = node > 0 ? 'broker' : `${run.hues.of(node)}${run.hues.striped(node) ? ' stripe' : ''}`;
  return html`<span class="m ${kind}${dead ? ' dead' : ''}" title=${name.length > 12 ? name : nothing}>${name}</span>`;
}

export function isDown(run: Run, node: Node): boolean {
  if (!run.picture || node > 0) return false;
  const life = lifeAt(run.picture, node, run.now);
  return life === 'dead' || life === 'stopped' || life === 'stalled';
}

export function ink(run: Run, parts: readonly Part[]): unknown[] {
  return parts.map((p, i) => {
    // A comma stays with the name before it.
    if (typeof p === 'string') return isWho(parts[i - 1]) && p.startsWith(',') ? p.slice(1) : p;
    if ('code' in p) return html`<code>${p.code}</code>`;
    if ('left' in p) return html`<span class="wait-text">${p.left}</span>`;
    if ('strong' in p) return html`<b class="strong">${p.strong}</b>`;
    const name = p.who > 0 ? run.nameOf(p.who) : token(run, p.who), next = parts[i + 1];
    return typeof next === 'string' && next.startsWith(',') ? html`<span class="nobr">${name},</span>` : name;
  });
}

const isWho = (p: Part | undefined) => typeof p === 'object' && 'who' in p;

/** In running text below the headline people are plain names. */
export function inkPlain(run: Run, parts: readonly Part[]): unknown[] {
  return parts.map((p) => typeof p !== 'string' && 'who' in p ? html`<bdi>${capital(run.nameOf(p.who), parts[0] === p)}</bdi>` : ink(run, [p]));
}

function capital(name: string, first: boolean): string {
  return first && name.startsWith('broker') ? `B${name.slice(1)}` : name;
}
