// What changed between two releases: the page says what the command line says.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {changes, lineOf, otherEnd, releaseOf, withKafka, type Eras} from '../src/versions/changes.ts';

const eras = JSON.parse(readFileSync(new URL('../public/engine/eras.json', import.meta.url), 'utf8')) as Eras;
const command = fileURLToPath(new URL('../../build/rebalance', import.meta.url)); // make cli

/** The command prints behaviours in the order of the table; only which they are counts. */
function told(from: string, to: string): string[] {
  const c = changes(eras, from, to), or = (text: string) => text || 'not there';
  const lines = [...c.gained.map((b) => `  + ${b.meaning}`), ...c.lost.map((b) => `  - ${b.meaning}`), ...[...c.configs, ...c.apis].map((d) => `  ~ ${d.name}: ${or(d.before)} → ${or(d.after)}`)];
  return [`From ${from} to ${to}`, ...lines.length ? lines : ['  nothing that is modelled']].sort();
}

test('the same changes as the command line, between neighbours, far ones and backwards', {skip: !existsSync(command) && 'make cli'}, () => {
  const {releases} = eras, first = releases[0]!, last = releases[releases.length - 1]!;
  const pairs = [...releases.slice(1).map((to, i) => [releases[i]!, to] as const), [first, last], [last, first], ['2.1.1', '2.3.1'], ['2.8.2', '3.0.2'], ['3.9.1', '2.2.2']] as const;
  for (const [from, to] of pairs) assert.deepEqual(told(from, to), execFileSync(command, ['versions', from, to], {encoding: 'utf8'}).trimEnd().split('\n').sort(), `${from} to ${to}`);
});

test('a behaviour may come, go and come back', () => {
  const again = eras.features.find((f) => f.spans.length > 1 && f.spans[0]![1] === '2.3.0')!;
  const seen = (side: 'gained' | 'lost', from: string, to: string) => changes(eras, from, to)[side].filter((b) => b.meaning === again.meaning).map(({at, came}) => [at, came]);
  assert.deepEqual(seen('gained', '2.1.1', '2.2.2'), [['2.2.0', true]]);
  assert.deepEqual(seen('lost', '2.2.2', '2.3.1'), [['2.3.0', false]]);
  assert.deepEqual(seen('gained', '2.8.2', '3.0.2'), [['3.0.0', true]]);
  assert.deepEqual(seen('lost', '3.0.2', '2.8.2'), [['3.0.0', true]], 'backwards it is lost before the release in which it came');
  assert.deepEqual(seen('gained', '2.3.1', '2.2.2'), [['2.3.0', false]]);
  for (const side of ['gained', 'lost'] as const) assert.deepEqual(seen(side, '2.2.2', '3.9.1'), []);
});

test('nothing changes within one release', () => {
  assert.deepEqual(changes(eras, '3.9.1', '3.9.1'), {gained: [], lost: [], configs: [], apis: []});
});

test('lines have the names that `kafka V` takes; a patch stands for its line', () => {
  assert.deepEqual(['0.9.0.1', '0.10.1.1', '0.11.0.3', '2.1.1', '4.4.0'].map(lineOf), ['0.9', '0.10.1', '0.11', '2.1', '4.4']);
  assert.equal(releaseOf(eras, '2.3.0'), '2.3.1');
  assert.equal(otherEnd(eras, '3.9.1'), eras.releases.at(-1));
  assert.equal(otherEnd(eras, eras.releases.at(-1)!), eras.releases.at(-2));
});

test('a scenario on another release differs in its kafka line alone', () => {
  assert.equal(withKafka('rebalance-lab 1\n# kafka 2.1 was old\nkafka 3.9 # ours\nbrokers 3\n', '4.4'), 'rebalance-lab 1\n# kafka 2.1 was old\nkafka 4.4 # ours\nbrokers 3\n');
  assert.equal(withKafka('rebalance-lab 1\nbrokers 3\n', '2.1'), 'rebalance-lab 1\nkafka 2.1\nbrokers 3\n');
  assert.equal(withKafka('brokers 3\n', '2.1'), 'kafka 2.1\nbrokers 3\n');
});
