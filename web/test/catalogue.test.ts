// All words that a person reads stand in words.ts: another language is a file.

import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';

const src = new URL('../src/', import.meta.url);

/** The templates of a file, with what is put into them taken out. */
function templates(source: string): string[] {
  const out: string[] = [];
  const read = (start: number, marked: boolean): number => {
    let text = '', i = start;
    for (; i < source.length && source[i] !== '`'; i++) {
      if (source[i] === '\\') i++;
      else if (source[i] === '$' && source[i + 1] === '{') {
        let depth = 1;
        for (i += 2; depth; i++) {
          if (source[i] === '{') depth++;
          else if (source[i] === '}') depth--;
          else if (source[i] === '`') i = read(i + 1, /(html|svg)$/.test(source.slice(i - 4, i)));
        }
        i--;
        text += '\u0000';
      } else text += source[i];
    }
    if (marked) out.push(text);
    return i;
  };
  for (const m of source.matchAll(/\b(?:html|svg)`/g)) read(m.index + m[0].length, true);
  return out;
}

/** What of a template is read or spoken. */
function spoken(template: string): string[] {
  const texts = [...`>${template}<`.matchAll(/>([^<>]*)</g)].map((m) => m[1]!);
  const labels = [...template.matchAll(/\b(?:aria-label|aria-roledescription|title|placeholder|alt)="([^"\0]*)"/g)].map((m) => m[1]!);
  return [...texts, ...labels].map((text) => text.replaceAll('\0', '…').replace(/&\w+;|__consumer_offsets|(?<=^…)px/g, '').trim()).filter((text) => /\p{L}{2}/u.test(text));
}

test('no template has words of its own', () => {
  const found: string[] = [];
  let read = 0;
  for (const file of readdirSync(src, {recursive: true}) as string[]) {
    if (!file.endsWith('.ts') || file === 'words.ts') continue;
    for (const template of templates(readFileSync(new URL(file, src), 'utf8'))) {
      read++;
      found.push(...spoken(template).map((text) => `${file}: ${text}`));
    }
  }
  assert.ok(read > 100, `${read} templates`);
  assert.deepEqual(found, []);
});
