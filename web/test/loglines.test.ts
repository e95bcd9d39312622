// The texts of the broker's log: each can be read back, none overlaps, and a
// run prints those of its release, the same in Go and here.

import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {Runs, type Exports} from '../src/engine/runs.ts';
import type {Answer, Ask, EngineEvent} from '../src/engine/types.ts';
import {fill, isJava, older, pieces, printedBy, sourceOf, type Book, type Facts, type Template} from '../src/loglines/book.ts';
import {print, type Printed} from '../src/loglines/print.ts';
import {find, messageOf, otherNames, read} from '../src/loglines/read.ts';
import {words} from '../src/words.ts';

const folder = new URL('../../server/loglines/', import.meta.url);
const book = JSON.parse(readFileSync(new URL('lines.json', folder), 'utf8')) as Book;

/** Something for every field, as odd as fields are. */
const SAMPLE: Facts = {
  broker: '2', group: 'my group (v2)', generation: '17', partition: '12', members: '3', statics: '1', epoch: '5', loadMs: '40', totalMs: '43', schedulerMs: '3', ms: '7',
  sessionTimeoutMs: '45000', rebalanceTimeoutMs: '300000', offsets: '4', groups: '2', records: '9', bytes: '812', state: 'PreparingRebalance',
  member: 'c 1-4276e5dd-5ac8-4e58-9aca-1f3cf52d3658', oldMember: 'pod-1-363945ba-75de-4c21-8ce0-84212956bf67', instance: 'pod-1', instanceOption: 'Some(pod-1)', instanceOrEmpty: 'pod-1',
  oldInstanceOption: 'None', oldInstanceOrNone: 'None', reason: 'Adding new member x with group instance id None; client reason: not provided', clientReason: 'the consumer is being closed',
  ids: 'Set(a-1, b-2)', operation: 'heartbeat', clientId: 'c 1', clientHost: '/10.1.0.2', protocols: 'range, cooperative-sticky', protocolType: 'consumer', about: 'MemberMetadata(memberId=a, …)', partitions: 'orders-0, orders-1', error: 'The coordinator is not available.',
};
const names = (t: Template) => pieces(t.text).filter((_, i) => i % 2);
const message = (t: Template) => fill(t.text, SAMPLE)!;

test('what is printed can be read: the same fields come back, with and without date and logger', () => {
  for (const t of book.lines) {
    assert.deepEqual(names(t).filter((n) => !(n in SAMPLE)), [], t.text);
    const source = sourceOf(book, t, t.since), bare = message(t);
    const line = `[2024-05-01 12:00:00,123] ${t.level} ${fill(source.prefix, SAMPLE)}${bare} (${source.logger})`;
    for (const text of [bare, line, `kafka-1  | ${line}\r`, fill(source.prefix, SAMPLE) + bare]) {
      assert.equal(messageOf(book, text), bare);
      const back = read(book, text, t.since);
      assert.equal(back?.template.id, t.id, text);
      assert.deepEqual(back.facts, Object.fromEntries(names(t).map((n) => [n, SAMPLE[n]])), text);
    }
  }
});

test('a release prints one text for one thing', () => {
  const ends = (t: Template) => t.until ?? '99.0.0';
  for (const [i, a] of book.lines.entries()) {
    assert.ok(older(a.since, ends(a)), a.text);
    assert.ok(book.sources[a.source], a.source);
    const era = book.sources[a.source]!;
    assert.ok(!older(a.since, era[0]!.since) && (!era.at(-1)!.until || !older(era.at(-1)!.until!, ends(a))), `${a.source} does not print all of: ${a.text}`);
    for (const b of book.lines.slice(i + 1)) {
      if (a.id !== b.id || isJava(book, a) !== isJava(book, b)) continue;
      assert.ok(!older(a.since, ends(b)) || !older(b.since, ends(a)), `${a.text}\n${b.text}`);
    }
  }
});

test('the page says of every line what it says', () => {
  for (const t of book.lines) {
    const says = words.loglines.says[t.id];
    assert.ok(says, t.id);
    const facts = Object.fromEntries(names(t).map((n) => [n, 'x']));
    assert.doesNotMatch(says(facts), /undefined/, t.text);
  }
});

/** The regular expressions that people use for the lines that matter most, with the ids that they are for. */
const COMMON: [RegExp, ...string[]][] = [
  [/^Preparing to (?:restabilize|rebalance) group (?<g>.*?)(?: in state (?<st>\w+))? with old generation (?<gen>-?\d+)(?: \(__consumer_offsets-(?<p>\d+)\))?(?: \(reason: (?<reason>.*)\)\.?)?$/, 'preparing'],
  [/^Stabilized group (?<g>.*) generation (?<gen>\d+)(?: \(__consumer_offsets-(?<p>\d+)\))?(?: with (?<n>\d+) members\.?)?$/, 'stabilized'],
  [/^Group (?<g>.*) with generation (?<gen>\d+) is now empty(?: \(__consumer_offsets-(?<p>\d+)\)|\.)?$/, 'empty'],
  [/^Assignment received from leader (?:(?<m>.+?) )?for group (?<g>.*?) for generation (?<gen>\d+)(?:\. The group has (?<n>\d+) members, (?<s>\d+) of which are static\.)?$/, 'assignment'],
  [/^Member (?<m>.+?) in group (?<g>.+?) has failed(?:, removing it from the group\.?)?$/, 'failed'],
  [/^Member (?<m>.+?) in group (?<g>.+?) has left, removing it from the group$|^Member\[group\.instance\.id (?<i>None|Some\(.*\)), member\.id (?<m2>.+?)\] in group (?<g2>.+?) has left, removing it from the group$|^Member MemberMetadata\((?<meta>.*)\) has left group (?<g3>.*?) through explicit `LeaveGroup`(?: request|; client reason: (?<reason>.*))$|^\[Group (?<g4>.*?)\] (?<kind>Member|Static Member|Dynamic Member|Pending member) (?<m4>.+?)(?: with instance id (?<i4>.+?))? has left group through explicit `LeaveGroup` request; client reason: (?<r4>.*)$/, 'left'],
  [/^Pending member (?<m>.+?) in group (?<g>.*) has been removed after session timeout expiration\.$/, 'pending-expired'],
  [/^(?:Loading) group metadata for (?<g>.*) with generation (?<gen>\d+)$|^Loaded (?:generic|classic) group .* with \d+ members\.$/, 'group-loaded'],
  [/^(?:Unloading) group metadata for (?<g>.*) with generation (?<gen>\d+)$|^\[GroupId=.*\] Unloading group metadata for generation \d+\.$/, 'group-unloaded'],
  [/^Group (?<g>.*) (?:transitioned to Dead in generation (?<gen>\d+)|generation (?<gen2>\d+) is dead and removed)$/, 'dead'],
];

test('the expressions that people search their logs with match', () => {
  for (const [expression, ...ids] of COMMON) {
    const mine = book.lines.filter((t) => ids.includes(t.id));
    assert.ok(mine.length);
    for (const t of mine) assert.match(message(t), expression);
    for (const t of book.lines) if (!ids.includes(t.id) && !t.id.startsWith('pending')) assert.doesNotMatch(message(t), expression);
  }
});

test('what is no line of a broker is not read', () => {
  for (const text of ['', 'REBALANCE_IN_PROGRESS', 'c2', '(Re-)joining group', 'Stabilized group x', '[2024-05-01 12:00:00,123] INFO [Consumer clientId=c1, groupId=checkout] Successfully joined group with generation 2 (org.apache.kafka.clients.consumer.internals.AbstractCoordinator)']) assert.equal(read(book, text, '3.9.1'), null, text);
});

// Runs ---------------------------------------------------------------------

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}
const built = new URL('../public/engine/', import.meta.url);
await import(new URL('wasm_exec.js', built).href);
const compiled = await WebAssembly.compile(readFileSync(new URL('engine.wasm', built)));
const runs = new Runs(async () => {
  const go = new Go(), instance = await WebAssembly.instantiate(compiled, go.importObject);
  void go.run(instance);
  return instance.exports as unknown as Exports;
});

let id = 0;
async function play(text: string): Promise<{printed: Printed[]; events: EngineEvent[]}> {
  const run = ++id, ask = (question: object): Promise<Answer> => runs.answer({...question, id: ++id, run} as unknown as Ask);
  const opened = await ask({ask: 'open', text}), played = await ask({ask: 'play', branch: 1});
  assert.ok(opened.ok && opened.answer === 'open' && played.ok && played.answer === 'play', JSON.stringify(opened));
  const {scenario} = opened, {events} = played.picture;
  return {events, printed: print(book, {version: scenario.kafka, events, partitionOf: (g) => scenario.groups.find((x) => x.id === g)!.partition})};
}

const testdata = new URL('testdata/', folder);

test('Go and the page print the same log', async () => {
  const files = readdirSync(testdata).filter((f) => f.endsWith('.txt'));
  assert.ok(files.length >= 8);
  for (const file of files) {
    const [text, log] = readFileSync(new URL(file, testdata), 'utf8').split('\n----\n');
    const {printed} = await play(text!);
    assert.equal(printed.map((p) => `${p.line}\n`).join(''), log, file);
  }
});

test('every line of a run leads to its own event', async () => {
  for (const file of readdirSync(testdata)) {
    const {printed} = await play(readFileSync(new URL(file, testdata), 'utf8').split('\n----\n')[0]!);
    for (const p of printed) {
      const reading = read(book, p.line, '3.9.1')!;
      assert.equal(reading.template.id, p.template.id, p.line);
      assert.ok(find(printed, reading, p.line).includes(p), p.line);
      assert.ok(find(printed, reading, p.message).some((hit) => hit.message === p.message), p.line);
    }
  }
});

test('a line of another group, release and time finds what says the same', async () => {
  const {printed} = await play(readFileSync(new URL('../../engine/script/scenarios/consumer-dies.txt', import.meta.url), 'utf8'));
  const hits = (line: string) => {
    const reading = read(book, line, '3.9.1')!;
    return {era: reading.era, at: find(printed, reading, line).map((p) => p.event.at)};
  };
  assert.deepEqual(hits('Preparing to restabilize group payments with old generation 1'), {era: 'older', at: [31_005_000]}, 'the same generation counts more than the group that nobody has');
  assert.deepEqual(hits('[2019-05-01 12:00:00,123] INFO [GroupCoordinator 3]: Stabilized group checkout generation 9 (__consumer_offsets-2) (kafka.coordinator.group.GroupCoordinator)').at.length, 2);
  assert.deepEqual(hits('Member app-1-x in group y has failed, removing it from the group.'), {era: 'java', at: [63_007_000]});
  assert.deepEqual(hits('Unloading group metadata for checkout with generation 3').at, []);
});

test('the reason of a rebalance counts more than its generation', async () => {
  const {printed} = await play('kafka 3.9\ntopic orders partitions=3\nconsumer c1..c3 group=checkout topics=orders\nat 20s kill c2\nat 100s consumer c4 group=checkout topics=orders\nrun until 2m\n');
  const at = (generation: number, reason: string) => {
    const line = `Preparing to rebalance group checkout in state PreparingRebalance with old generation ${generation} (__consumer_offsets-2) (reason: ${reason})`;
    return find(printed, read(book, line, '3.9.1')!, line).map((p) => Math.floor(p.event.at / 1e6));
  };
  for (const generation of [1, 2, 7]) {
    assert.deepEqual(at(generation, 'removing member c2-0af1 on heartbeat expiration'), [63]);
    assert.deepEqual(at(generation, 'Adding new member c9-1 with group instance id None; client reason: need to re-join with the given member-id: c9-1').at(-1), 100);
  }
});

test('of a line about somebody else the page says who it is here', async () => {
  const {printed} = await play(readFileSync(new URL('../../engine/script/scenarios/consumer-dies.txt', import.meta.url), 'utf8'));
  const names = (line: string) => {
    const reading = read(book, line, '3.9.1')!;
    return otherNames(reading, find(printed, reading, line)[0]!);
  };
  assert.deepEqual(names('Member c1-x in group checkout has failed, removing it from the group'), {group: '', member: 'c2'});
  assert.deepEqual(names('Member c2-x in group checkout has failed, removing it from the group'), {group: '', member: ''});
  assert.deepEqual(names('Stabilized group payments generation 9 (__consumer_offsets-2)'), {group: 'checkout', member: ''});
});

test('only what the release prints is printed', () => {
  const count = (version: string) => book.lines.filter((t) => printedBy(book, t, version)).length;
  for (const version of ['0.9.0.1', '0.11.0.3', '2.1.1', '2.3.1', '2.8.2', '3.2.3', '3.9.1', '4.4.0']) assert.ok(count(version) >= 12, version);
  assert.ok(book.lines.filter((t) => printedBy(book, t, '3.9.1')).every((t) => !isJava(book, t)));
  assert.ok(book.lines.filter((t) => printedBy(book, t, '4.0.0')).every((t) => isJava(book, t)));
});
