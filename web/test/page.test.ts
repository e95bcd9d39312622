import assert from 'node:assert/strict';
import {test} from 'node:test';
import {exampleAddress, readAddress} from '../src/address.ts';
import {memberNode} from '../src/engine/members.ts';
import type {EngineEvent, Lane, Picture} from '../src/engine/types.ts';
import {count, left, list, moment, partitions, seconds, span} from '../src/format.ts';
import {Hues} from '../src/identity.ts';
import {place} from '../src/picture/place.ts';
import {memberRows, partitionRows} from '../src/picture/rows.ts';
import {chain, eventIndexAt, lagAt, livesOf, spanAt} from '../src/run/look.ts';

const S = 1_000_000;

test('the address names a scenario, a link or a room', () => {
  assert.deepEqual(readAddress('#s=consumer-dies&t=41.5'), {kind: 'example', name: 'consumer-dies', at: 41.5 * S});
  assert.deepEqual(readAddress('#s=x&t=-3'), {kind: 'example', name: 'x', at: undefined});
  assert.deepEqual(readAddress(''), {kind: 'gallery'});
  assert.deepEqual(readAddress('#'), {kind: 'gallery'});
  assert.deepEqual(readAddress('#1=abc&t=5'), {kind: 'link', fragment: '#1=abc&t=5'});
  assert.deepEqual(readAddress('#27=abc'), {kind: 'link', fragment: '#27=abc'});
  assert.deepEqual(readAddress('#nothing'), {kind: 'link', fragment: '#nothing'});
  assert.deepEqual(readAddress('#room=4K72MX'), {kind: 'room', code: '4K72MX', token: ''});
  assert.deepEqual(readAddress('#room=4K72MX&host=ab'), {kind: 'room', code: '4K72MX', token: 'ab'});
  assert.equal(exampleAddress('kafka-0.9', 63_007_000), '#s=kafka-0.9&t=63.007');
  assert.equal(exampleAddress('a b'), '#s=a%20b');
  assert.deepEqual(readAddress(exampleAddress('a b', 1_234_567)), {kind: 'example', name: 'a b', at: 1_234_567});
});

test('numbers as the page writes them', () => {
  assert.equal(seconds(12_400_000), '12.4 s');
  assert.equal(span(3000), '3 ms');
  assert.equal(span(22 * S), '22.0 s');
  assert.equal(moment(31_004_000), '31.004 s');
  assert.equal(moment(31 * S), '31.0 s');
  assert.equal(left(22 * S), '22 more seconds');
  assert.equal(count(3423), '3\u202f423');
  assert.equal(list(['a', 'b', 'c']), 'a, b and c');
  assert.equal(partitions(['1', '2', '3', '4', '5']), '5 partitions');
});

test('hues go by the place in the group; the seventh has a stripe', () => {
  const consumer = (node: number, group: string) => ({node, name: `c${-node}`, written: '', group, topics: []});
  const hues = new Hues([consumer(-1, 'a'), consumer(-2, 'b'), consumer(-3, 'a'), ...[-4, -5, -6, -7, -8].map((n) => consumer(n, 'a'))]);
  assert.equal(hues.of(-1), 'm1');
  assert.equal(hues.of(-2), 'm1');
  assert.equal(hues.of(-3), 'm2');
  assert.equal(hues.of(-8), 'm1');
  assert.ok(hues.striped(-8) && !hues.striped(-3));
  assert.equal(hues.of(2), 'm0');
});

const lane = (partition: number, ...spans: [number, number, number, Lane['spans'][number]['state']][]): Lane => ({
  group: 'g', topic: 'orders', partition, commits: [[5 * S, 10]], lag: [[0, 0], [10 * S, 100]],
  spans: spans.map(([from, to, reader, state]) => ({from: from * S, to: to * S, reader, owner: reader || -1, state})),
});

test('neighbouring spans of one reader are one bar', () => {
  const [row] = partitionRows([lane(0, [0, 5, -1, 'reads'], [5, 9, -1, 'reads'], [9, 20, 0, 'nobody'])], (n) => `c${-n}`);
  assert.deepEqual(row!.spans.map((s) => [s.from / S, s.to / S, s.state, s.label]), [[0, 9, 'reads', 'c1'], [9, 20, 'nobody', '']]);
});

test('a member’s row lists what it reads', () => {
  const [row] = memberRows([lane(0, [0, 10, -1, 'reads']), lane(1, [4, 10, -1, 'reads'])], [-1], (n) => `c${-n}`);
  assert.deepEqual(row!.spans.map((s) => s.label), ['orders-0', 'orders-0, orders-1']);
});

test('spans, lag and events by time', () => {
  const spans = [{from: 0, to: 5}, {from: 5, to: 9}];
  assert.equal(spanAt(spans, 5), spans[1]);
  assert.equal(spanAt(spans, 9), spans[1], 'the last one also at its end');
  assert.equal(spanAt(spans, 10), undefined);
  assert.equal(lagAt(lane(0, [0, 1, -1, 'reads']), 5 * S), 50);
  const events = [1, 5, 5, 9].map((at, i): EngineEvent => ({n: i * 10 + 1, at, kind: 'x', cause: i ? (i - 1) * 10 + 1 : 0}));
  assert.equal(eventIndexAt(events, 5), 2);
  assert.equal(eventIndexAt(events, 0), -1);
  assert.deepEqual(chain(events, 31).map((e) => e.n), [31, 21, 11, 1]);
  assert.deepEqual(chain([{n: 9, at: 9, kind: 'x', cause: 4}], 9, (n) => ({n, at: 3, kind: 'y', cause: 2})).map((e) => e.n), [9, 4], 'the first routine cause ends it');
});

test('whose a member id is', () => {
  const events: EngineEvent[] = [{n: 1, at: 0, kind: 'member-added', cause: 0, node: 2, peer: -3, member: 'c3-id'}];
  assert.equal(memberNode(events, 'c3-id'), -3);
  assert.equal(memberNode(events, 'other'), 0);
});

test('a life in the same state is one span', () => {
  const picture = {lives: [{from: 0, to: 3, node: -1, state: 'up'}, {from: 3, to: 9, node: -1, state: 'up'}, {from: 9, to: 12, node: -1, state: 'dead'}]} as unknown as Picture;
  assert.deepEqual(livesOf(picture, -1).map((s) => [s.from, s.to, s.state]), [[0, 9, 'up'], [9, 12, 'dead']]);
});

test('rows are 32 px apart while there is room, and tighter when there are many', () => {
  assert.equal(place(1080, 612, 6, 3, 4).lane.pitch, 32);
  assert.equal(place(1080, 612, 6, 3, 4).consumers.pitch, 43);
  assert.ok(place(1080, 612, 24, 3, 4).lane.pitch < 32);
  const many = place(1080, 612, 60, 3, 30);
  assert.ok(many.height > 612, 'what does not fit scrolls');
  assert.ok(many.lane.pitch >= 12);
});
