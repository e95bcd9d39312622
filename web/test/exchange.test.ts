import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {EngineEvent} from '../src/engine/types.ts';
import {Axis} from '../src/picture/axis.ts';
import {bursts, causalMoments, MOST_FAN, messagesOf} from '../src/picture/exchange.ts';

const S = 1_000_000;
let n = 0;
const request = (at: number, node: number, api: string): EngineEvent => ({n: ++n, at, due: at + 1000, kind: 'request', cause: 0, node, peer: 2, api});
const response = (at: number, peer: number, api: string, error = ''): EngineEvent => ({n: ++n, at, due: at + 1000, kind: 'response', cause: n - 1, node: 2, peer, api, ...error ? {error} : {}});
const axis = Axis.clock(60 * S, 900, []);

/** A first join: five messages within five milliseconds. */
const join = (at: number, c: number) => [request(at, c, 'FindCoordinator'), response(at + 1000, c, 'FindCoordinator'), request(at + 2000, c, 'JoinGroup'),
  response(at + 3000, c, 'JoinGroup', 'MEMBER_ID_REQUIRED'), request(at + 4000, c, 'JoinGroup')];

test('five messages of one moment fold into one arrow and a number', () => {
  const [b, ...others] = bursts(messagesOf(join(0, -1), [-1]), axis);
  assert.equal(others.length, 0);
  assert.equal(b!.folded, 5);
  assert.equal(b!.arrows.length, 1);
  assert.deepEqual(b!.errors, ['MEMBER_ID_REQUIRED']);
  assert.equal(b!.rejoin, false, 'a first join is no rejoin');
});

test('an error that changes what a client does keeps its arrow', () => {
  const events = [request(5 * S, -1, 'SyncGroup'), response(5 * S + 1000, -1, 'SyncGroup'),
    request(33 * S, -1, 'Heartbeat'), response(33 * S + 1000, -1, 'Heartbeat', 'REBALANCE_IN_PROGRESS'), request(33 * S + 2000, -1, 'OffsetCommit'),
    response(33 * S + 3000, -1, 'OffsetCommit'), request(33 * S + 4000, -1, 'JoinGroup')];
  const [, b] = bursts(messagesOf(events, [-1]), axis);
  assert.deepEqual(b!.arrows.map((m) => [m.api, m.request]), [['Heartbeat', true], ['Heartbeat', false], ['JoinGroup', true]]);
  assert.equal(b!.folded, 5);
  assert.equal(b!.rejoin, true);
});

test('bursts of several consumers step aside by at most 24 px, in the order of the rows', () => {
  const events = [-1, -2, -3, -4, -5].flatMap((c) => join(10 * S, c)).sort((a, b) => a.at - b.at);
  const all = bursts(messagesOf(events, [-1, -2, -3, -4, -5]), axis).sort((a, b) => b.consumer - a.consumer);
  assert.equal(all.length, 5);
  for (let i = 1; i < all.length; i++) assert.ok(all[i]!.fan > all[i - 1]!.fan);
  assert.ok(all.every((b) => b.fan <= MOST_FAN));
});

test('with many members a burst is one arrow', () => {
  const events = [response(33 * S, -1, 'Heartbeat', 'REBALANCE_IN_PROGRESS'), request(33 * S + 1000, -1, 'JoinGroup')];
  assert.equal(bursts(messagesOf(events, [-1]), axis, true)[0]!.arrows.length, 1);
});

test('a lost packet is known by the event that says so', () => {
  const lost = request(S, -1, 'Heartbeat');
  const [m] = messagesOf([lost, {n: ++n, at: S, kind: 'lost', cause: lost.n, node: -1, peer: 2}], [-1]);
  assert.equal(m!.lost, true);
});

test('causal spacing has a step for sending and arriving', () => {
  assert.deepEqual(causalMoments([request(S, -1, 'JoinGroup')], [-1]), [S, S + 1000]);
  assert.deepEqual(causalMoments([request(S, -9, 'JoinGroup')], [-1]), [], 'other groups do not count');
});

test('messages of others are left out', () => {
  assert.equal(messagesOf(join(0, -7), [-1]).length, 0);
});

test('who asks the same again and again is drawn once, with a number', () => {
  const events = Array.from({length: 12}, (_, i) => [request(20 * S + i * 900_000, -1, 'FindCoordinator'), response(20 * S + i * 900_000 + 1000, -1, 'FindCoordinator')]).flat();
  const all = bursts(messagesOf([...events, ...join(40 * S, -1)], [-1]), axis);
  assert.equal(all.length, 2);
  assert.deepEqual([all[0]!.again, all[0]!.folded, all[0]!.arrows.length], ['FindCoordinator', 24, 2]);
  assert.equal(all[0]!.until, 20 * S + 11 * 900_000 + 2000);
  assert.equal(all[1]!.again, '');
  const causal = bursts(messagesOf(events, [-1]), Axis.causal(60 * S, 900, causalMoments(events, [-1])));
  assert.ok(causal.length >= 12, 'causal spacing shows each of them');
});
