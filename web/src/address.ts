// What the fragment of the page's address names: a scenario of the gallery
// (`#s=consumer-dies&t=41`), a run of one's own (`#1=…`, link/link.ts reads it),
// a room (`#room=4K72MX`) or a rule of the engine (`#rule=HB-1`).

export type Address =
  /** rule: the one that is read there. */
  | {kind: 'gallery'; rule?: string}
  /** at: microseconds; undefined: the page chooses. */
  | {kind: 'example'; name: string; at: number | undefined}
  | {kind: 'link'; fragment: string}
  /** token: '' for everyone but the host. */
  | {kind: 'room'; code: string; token: string};

export function readAddress(hash: string): Address {
  if (/^#\d+=/.test(hash)) return {kind: 'link', fragment: hash};
  const q = new URLSearchParams(hash.replace(/^#/, ''));
  const name = q.get('s'), code = q.get('room'), rule = q.get('rule'), t = q.get('t');
  if (rule) return {kind: 'gallery', rule: rule.toUpperCase()};
  if (code) return {kind: 'room', code, token: q.get('host') ?? ''};
  if (name) return {kind: 'example', name, at: t === null || !/^\d+(\.\d+)?$/.test(t) ? undefined : Math.round(Number(t) * 1e6)};
  // Anything else is a link that lost its beginning, or an old way of writing it.
  return hash.length > 1 ? {kind: 'link', fragment: hash} : {kind: 'gallery'};
}

export function exampleAddress(name: string, at?: number): string {
  return `#s=${encodeURIComponent(name)}${at === undefined ? '' : `&t=${Number((at / 1e6).toFixed(6))}`}`;
}
