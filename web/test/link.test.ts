import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {zlibSync} from 'fflate';
import {LinkError, readLink, writeLink, type Link} from '../src/link/link.ts';

const testdata = new URL('../../server/link/testdata/', import.meta.url);
const corpus = readFileSync(new URL('links.jsonl', testdata), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as
  {fragment: string; link: {Script: string; At: number; Digest: string; Group: string; Event: number; View: string}});

const refusal = (kind: LinkError['kind']) => (error: unknown) => error instanceof LinkError && error.kind === kind;

test('every link that was ever made is read', () => {
  assert.ok(corpus.length >= 10);
  for (const {fragment, link} of corpus) {
    const got = readLink(fragment);
    assert.deepEqual(got, {
      script: link.Script, at: link.At < 0 ? undefined : link.At, digest: link.Digest, group: link.Group, event: link.Event,
      causal: link.View.includes('x=causal'), members: link.View.includes('r=members'),
    });
    assert.deepEqual(readLink(writeLink(got)), got);
  }
});

test('what programs and sentences do to a link is undone', () => {
  const {fragment, link} = corpus.find((c) => c.link.Digest && c.link.At > 0)!;
  const bare = fragment.replace(/&.*/, ''), escaped = fragment.replace('=', '%3D').replaceAll('&', '%26');
  for (const spoiled of [`${fragment}.`, `${fragment})`, `${fragment}, `, `${fragment}?fbclid=abc_1`, `${fragment.replaceAll('&', '&amp;')}`, escaped, fragment.replaceAll('&', '%26')]) {
    const got = readLink(spoiled);
    assert.deepEqual([got.script, got.at, got.digest], [link.Script, link.At, link.Digest], spoiled);
  }
  for (const spoiled of [`${bare}.`, `${bare})`, `${bare}!”`]) assert.equal(readLink(spoiled).script, link.Script, spoiled);
});

test('forty commands fit into 500 characters', () => {
  const script = readFileSync(new URL('forty-commands.txt', testdata), 'utf8');
  const length = writeLink({script, at: 41_000_000, digest: '9f3c41ae1234', group: '', event: 119, causal: false, members: false}).length;
  assert.ok(length <= 500, `${length} characters`);
});

test('a long text comes back', () => {
  let seed = 1;
  const line = () => `at ${(seed = seed * 16807 % 2147483647) % 1000}s kill c${seed % 97}`;
  const link: Link = {script: Array.from({length: 5000}, line).join('\n'), at: 0, digest: '', group: '', event: 0, causal: false, members: false};
  assert.deepEqual(readLink(writeLink(link)), link);
});

test('wrong links say what is wrong', () => {
  const good = corpus[3]!.fragment, packed = good.replace(/&.*/, '');
  for (let i = packed.length - 1; i > 3; i--) assert.throws(() => readLink(packed.slice(0, i)), refusal('damaged'), `${i} characters`);
  for (let i = 3; i < packed.length - 1; i++) {
    const wrong = packed.slice(0, i) + (packed[i] === 'A' ? 'B' : 'A') + packed.slice(i + 1);
    try {
      assert.equal(readLink(wrong).script, corpus[3]!.link.Script, `character ${i}`); // the dictionary's own checksum does not matter
    } catch (error) {
      assert.ok(refusal('damaged')(error), `character ${i}: ${error}`);
    }
  }
  assert.throws(() => readLink('#2=x'), refusal('newer'));
  assert.throws(() => readLink('#0=x'), refusal('none'));
  assert.throws(() => readLink('#about'), refusal('none'));
  assert.throws(() => readLink('#1=%%%'), refusal('damaged'));
  assert.throws(() => readLink(`${packed}&t=soon`), refusal('damaged'));
  assert.throws(() => readLink(`#1=${'A'.repeat(400_000)}`), refusal('tooLong'));
});

test('what says that it is a great deal is not unpacked', () => {
  const of = (script: string) => writeLink({script, at: undefined, digest: '', group: '', event: 0, causal: false, members: false});
  assert.equal(readLink(of('#'.repeat(256 * 1024))).script.length, 256 * 1024);
  assert.throws(() => of('#'.repeat(256 * 1024 + 1)), refusal('tooLong'));
  const dictionary = readFileSync(new URL('../dictionary-1.txt', testdata));
  const bomb = Buffer.from(zlibSync(new Uint8Array(50_000_000), {level: 9, dictionary})).toString('base64url');
  assert.ok(bomb.length < 100_000);
  assert.throws(() => readLink(`#1=${bomb}`), refusal('tooLong'));
});
