// Whoever can be acted upon answers to the pointer and to the keys.

import {svg, type SVGTemplateResult} from 'lit';
import type {Node} from '../engine/types.ts';
import {words} from '../words.ts';

/** Enter and space open the menu; up and down go to the neighbour. */
function key(e: KeyboardEvent, open: () => void): void {
  if (e.key === 'Enter' || e.key === ' ') return open();
  const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
  if (!step) return;
  e.preventDefault();
  const here = e.currentTarget as SVGGElement, all = [...here.ownerSVGElement!.querySelectorAll<SVGGElement>('g[data-node][tabindex="0"]')];
  all[all.indexOf(here) + step]?.focus();
}

/** Its accessible name begins with what it shows. */
export function button({ask}: {ask(node: Node, e: Event): void}, node: Node, shown: string, content: SVGTemplateResult, quiet = false): SVGTemplateResult {
  return svg`<g role="button" tabindex=${quiet ? -1 : 0} aria-haspopup="menu" aria-label=${words.stage.actLabel(shown)} data-node=${node}
    @click=${(e: Event) => ask(node, e)} @keydown=${(e: KeyboardEvent) => key(e, () => ask(node, e))}>${content}</g>`;
}
