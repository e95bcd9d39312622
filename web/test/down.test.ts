// Where time runs down.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {EngineEvent, GroupPicture, Picture, WaitSpan} from '../src/engine/types.ts';
import {downAxis, type Told} from '../src/picture/downaxis.ts';
import {fitDown, placeDown} from '../src/picture/downplace.ts';
import {shorten} from '../src/picture/names.ts';

const S = 1_000_000;
let n = 0;
const request = (at: number, node: number, api = 'JoinGroup'): EngineEvent => ({n: ++n, at: at * S, due: at * S + 1000, kind: 'request', cause: 0, node, peer: 1, api});
const wait: WaitSpan = {kind: 'members', for: -2, member: '', others: [], config: 'session.timeout.ms', since: 18 * S, due: 63 * S, from: 33 * S, to: 63 * S};

const told = (events: EngineEvent[], waits: WaitSpan[] = []): Told => ({
  picture: {end: 75 * S, events, lives: []} as unknown as Picture,
  group: {id: 'g', states: [], waits} satisfies GroupPicture, rows: [], brokers: [1], consumers: [-1, -2],
});

test('every arrow has a place of its own, in order of time', () => {
  const events = [request(0, -1), request(0, -2), request(6, -1), request(6.001, -2), request(40, -1)];
  const {axis, slots, bursts} = downAxis(told(events), 500, true);
  const places = [...slots].sort((a, b) => a[0].from - b[0].from || a[0].n - b[0].n).map(([, y]) => y);
  assert.equal(places.length, 5);
  for (let i = 1; i < places.length; i++) assert.ok(places[i]! - places[i - 1]! >= 4, `arrow ${i}: ${places}`);
  assert.equal(bursts.length, 5);
  assert.ok(axis.x(6 * S) > axis.x(0) && axis.x(75 * S) === axis.width);
});

test('what happened at a time stands above the line of that time', () => {
  const {axis, slots} = downAxis(told([request(20, -1), request(20, -2)]), 500, true);
  for (const y of slots.values()) assert.ok(y <= axis.x(20 * S));
});

test('gaps fill the room that there is, and say when they were', () => {
  const {axis, gaps} = downAxis(told([request(0, -1), request(20, -1)]), 500, true);
  assert.ok(Math.abs(axis.width - 500) < 1, String(axis.width));
  assert.deepEqual(gaps.map((g) => [g.from / S, g.to / S]), [[0, 20], [20, 75]]);
});

test('a wait keeps its room where other gaps give theirs', () => {
  const events = [1, 5, 9, 13, 17, 33].map((at) => request(at, -1));
  const {axis} = downAxis(told(events, [wait]), 120, true);
  const room = (from: number, to: number) => axis.x(to * S) - axis.x(from * S);
  assert.ok(room(33, 63) >= 60, `the wait has ${room(33, 63)} px`);
  assert.ok(room(5, 9) < 30);
});

test('clock spacing is true to time', () => {
  const {axis} = downAxis(told([request(10, -1)]), 1200, false);
  assert.ok(Math.abs(axis.x(50 * S) - axis.x(40 * S) - (axis.x(20 * S) - axis.x(10 * S))) < 0.01);
});

test('columns are those that were drawn, and fit a small phone', () => {
  const drawn = placeDown(358, 524, 6, 1, 4);
  assert.deepEqual([drawn.lane.top, drawn.lane.pitch, drawn.brokers.top, drawn.consumers.top, drawn.consumers.pitch], [46, 21, 194, 238, 34]);
  for (const [width, rows, brokers, consumers] of [[320, 6, 1, 4], [328, 6, 2, 3], [390, 40, 1, 30], [320, 12, 2, 8]] as const) {
    const all = Array.from({length: rows}, (_, i) => i), members = Array.from({length: consumers}, (_, i) => i);
    const fit = fitDown(width, all, brokers, members, {row: () => false, consumer: () => false});
    const p = placeDown(width, 524, fit.rows.length, brokers, fit.consumers.length);
    const right = p.consumers.top + (fit.consumers.length - 1) * p.consumers.pitch + 15;
    assert.ok(right <= width + 1, `${width} px: ${fit.rows.length} partitions, ${fit.consumers.length} consumers end at ${right}`);
    assert.ok(fit.rows.length >= 2 && fit.consumers.length >= 2);
  }
});

test('who tells something keeps a column', () => {
  const members = Array.from({length: 30}, (_, i) => i);
  const fit = fitDown(358, [0, 1, 2, 3, 4, 5], 1, members, {row: () => false, consumer: (m) => m === 27});
  assert.ok(fit.consumers.includes(27));
  assert.equal(fit.rows.length, 6);
});

// A letter counts 7 px here.

test('a name without room gives way in its middle, then at its beginning', () => {
  assert.equal(shorten('orders', 42), 'orders');
  assert.equal(shorten('payments-settled', 70), 'payment…ed');
  assert.equal(shorten('pod-17', 21), '…17');
  assert.equal(shorten('pod-17', 14), '…7');
  assert.equal(shorten('pod-17', 7), '7');
  assert.equal(shorten('👩‍👩‍👧‍👦 family', 28), '…ly', 'a letter of several signs stays whole or goes');
});
