// A run in the fragment of an address: `#1=<packed script>&t=41&d=9f3c41ae`.
// server/link does the same in the terminal and says what the letters mean;
// both read every link that was ever made (server/link/testdata/links.jsonl).

import {Unzlib, zlibSync} from 'fflate';
import dictionaryText from '../../../server/link/dictionary-1.txt?raw';

export interface Link {
  script: string;
  /** Microseconds; undefined: the reader chooses. */
  at: number | undefined;
  /** The first eight digits of the digest at the end; '' unknown. */
  digest: string;
  /** '' the first. */
  group: string;
  /** The event that is picked, by its number; 0 none. */
  event: number;
  causal: boolean;
  members: boolean;
}

/** Something is wrong with a link. */
export class LinkError extends Error {
  constructor(readonly kind: 'none' | 'damaged' | 'newer' | 'tooLong') {
    super(kind);
  }
}

const MOST_CHARACTERS = 400_000;
const MOST_BYTES = 256 * 1024;

const dictionary = new TextEncoder().encode(dictionaryText);

/** Undoes what programs and sentences do to a link: escaped signs, the full stop behind it, what was hung on to find out who opened it. */
function tidy(fragment: string): string {
  let text = fragment;
  try {
    if (/^#\d+(%3D|=[\w-]*%26)/i.test(text)) text = decodeURIComponent(text);
  } catch {
    // It stays as it came.
  }
  return text.replaceAll('&amp;', '&').replace(/[\s.,;:!?)\]}>"'»”]+$|\?[\w-]+=.*$/, '');
}

export function readLink(fragment: string): Link {
  if (fragment.length > MOST_CHARACTERS) throw new LinkError('tooLong');
  const [, version, packed, rest] = /^#(\d+)=([^&]*)&?(.*)$/s.exec(tidy(fragment)) ?? [];
  if (!version || Number(version) === 0) throw new LinkError('none');
  if (Number(version) > 1) throw new LinkError('newer');
  const script = unpack(packed!), q = new URLSearchParams(rest), t = q.get('t') ?? '', event = Number(q.get('e'));
  if (t && !/^\d+(\.\d+)?$/.test(t)) throw new LinkError('damaged');
  return {
    script, at: t ? Math.round(Number(t) * 1e6) : undefined, digest: q.get('d') ?? '', group: q.get('g') ?? '',
    event: Number.isSafeInteger(event) && event > 0 ? event : 0, causal: q.get('x') === 'causal', members: q.get('r') === 'members',
  };
}

export function writeLink(link: Link): string {
  const q = new URLSearchParams();
  if (link.at !== undefined) q.set('t', String(Number((link.at / 1e6).toFixed(6))));
  if (link.group) q.set('g', link.group);
  if (link.event) q.set('e', String(link.event));
  if (link.members) q.set('r', 'members');
  if (link.causal) q.set('x', 'causal');
  if (link.digest) q.set('d', link.digest.slice(0, 8));
  const rest = q.toString();
  return `#1=${pack(link.script)}${rest && `&${rest}`}`;
}

function pack(script: string): string {
  const bytes = new TextEncoder().encode(script);
  if (bytes.length > MOST_BYTES) throw new LinkError('tooLong');
  const packed = zlibSync(bytes, {level: 9, mem: 9, dictionary});
  let text = '';
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function unpack(packed: string): string {
  try {
    const packedBytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const bytes = inflate(packedBytes), sum = new DataView(packedBytes.buffer).getUint32(packedBytes.length - 4);
    // The library leaves the checksum at the end to its caller.
    if (sum !== adler32(bytes)) throw new Error('checksum');
    if (bytes.length > MOST_BYTES) throw new LinkError('tooLong');
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch (error) {
    throw error instanceof LinkError ? error : new LinkError('damaged');
  }
}

/** In pieces: a few bytes may say that they are a great many. */
function inflate(packed: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0, ended = false;
  const stream = new Unzlib({dictionary}, (part, last) => {
    parts.push(part);
    length += part.length;
    ended ||= last;
  });
  for (let at = 0; at < packed.length; at += 1024) {
    stream.push(packed.subarray(at, at + 1024), at + 1024 >= packed.length);
    if (length > MOST_BYTES) throw new LinkError('tooLong');
  }
  if (!ended) throw new Error('unexpected end');
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** RFC 1950. */
function adler32(bytes: Uint8Array): number {
  let a = 1, b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}
