// The text of an element's scenario: from its address, or what stands inside.

import {words} from '../words.ts';

/** A document that still comes in may not have brought the whole text. */
export async function textOf(element: HTMLElement & {src: string | null}): Promise<string> {
  if (element.src) return fetched(element.src);
  if (document.readyState === 'loading') await new Promise((done) => document.addEventListener('DOMContentLoaded', done, {once: true}));
  const text = (element.querySelector('pre') ?? element).textContent ?? '';
  if (!text.trim()) throw new Error(words.embed.noText);
  return text.replace(/^\s*\n/, ''); // the first line is the first one that has words
}

async function fetched(src: string): Promise<string> {
  const response = await fetch(new URL(src, document.baseURI)).catch((error: Error) => error);
  if (response instanceof Error) throw new Error(words.embed.notFound(src, response.message));
  if (!response.ok) throw new Error(words.embed.notFound(src, String(response.status)));
  return response.text();
}

const UNITS: Record<string, number> = {ms: 1e3, s: 1e6, m: 60e6, h: 3600e6};

/** Microseconds of a time as the language writes it: `41s`, `500ms`; undefined: it is none. */
export function timeOf(text: string | null): number | undefined {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text ?? '');
  return parts ? Math.round(Number(parts[1]) * UNITS[parts[2]!]!) : undefined;
}
