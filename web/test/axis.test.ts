import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {EngineEvent, GroupPicture, WaitSpan} from '../src/engine/types.ts';
import {Axis, chooseFolds, FOLD, idle, STEP, ticks} from '../src/picture/axis.ts';

const S = 1_000_000;
const event = (at: number, kind = 'group-state'): EngineEvent => ({n: at, at: at * S, kind, cause: 0});
const wait = (from: number, to: number): WaitSpan => ({kind: 'members', for: -1, member: '', others: [], config: 'session.timeout.ms', since: from * S, due: to * S, from: from * S, to: to * S});

test('without folds a second has the same width everywhere', () => {
  const axis = Axis.clock(60 * S, 900, []);
  assert.equal(axis.x(0), 0);
  assert.equal(axis.x(30 * S), 450);
  assert.equal(axis.x(60 * S), 900);
  assert.equal(axis.t(450), 30 * S);
});

test('a fold takes 20 px, and the rest gets the room', () => {
  const axis = Axis.clock(60 * S, 620, [{from: 10 * S, to: 40 * S}]);
  assert.equal(axis.x(40 * S) - axis.x(10 * S), FOLD);
  assert.ok(Math.abs(axis.x(10 * S) - 200) < 1e-9);
  assert.ok(Math.abs(axis.width - 620) < 1e-9);
  assert.ok(axis.folded(20 * S));
  assert.ok(!axis.folded(10 * S));
});

test('time and pixels are each other’s inverse, also inside of a fold', () => {
  const axis = Axis.clock(60 * S, 620, [{from: 10 * S, to: 40 * S}]);
  for (const t of [0, 5 * S, 10 * S, 25 * S, 40 * S, 59 * S, 60 * S]) assert.ok(Math.abs(axis.t(axis.x(t)) - t) < 2);
});

test('times outside of the run stand at its edges', () => {
  const axis = Axis.clock(60 * S, 900, []);
  assert.equal(axis.x(-5 * S), 0);
  assert.equal(axis.x(99 * S), 900);
  assert.equal(axis.t(-10), 0);
});

test('a long run scrolls: seconds do not shrink below 12 px', () => {
  assert.equal(Axis.clock(600 * S, 900, []).width, 7200);
});

test('a run without length still has an axis', () => {
  const axis = Axis.clock(0, 900, []);
  assert.ok(axis.width > 0 && Number.isFinite(axis.x(0)));
});

test('idle stretches keep two seconds on both sides, and polls do not interrupt them', () => {
  const found = idle(60 * S, [event(5), event(20, 'polled'), event(40)], undefined);
  assert.deepEqual(found, [{from: 7 * S, to: 38 * S}, {from: 42 * S, to: 58 * S}]);
});

test('a stretch is cut where a wait begins', () => {
  const group: GroupPicture = {id: 'g', states: [], waits: [wait(20, 35)]};
  const found = idle(60 * S, [event(0)], group);
  assert.deepEqual(found[0], {from: 2 * S, to: 18 * S});
  assert.ok(found.every((f) => f.to <= 18 * S || f.from >= 22 * S));
});

test('only as much folds as is needed, outside of waits first, short waits never', () => {
  const folds = [{from: 5 * S, to: 15 * S}, {from: 20 * S, to: 55 * S}];
  assert.deepEqual(chooseFolds(60 * S, 900, folds), [], 'all fits at 15 px a second');
  assert.deepEqual(chooseFolds(60 * S, 800, folds, [wait(18, 58)]), [folds[0]]);
  assert.deepEqual(chooseFolds(60 * S, 300, folds, [wait(18, 58)]), [folds[0]], 'thirty-five seconds of waiting stay');
});

test('causal spacing gives each moment the same step', () => {
  const axis = Axis.causal(60 * S, 10, [1000, 2000, 30 * S]);
  assert.equal(axis.x(1000), STEP);
  assert.equal(axis.x(2000), 2 * STEP);
  assert.equal(axis.x(30 * S), 3 * STEP);
  assert.equal(axis.x(60 * S), 4 * STEP);
});

test('no tick stands on a fold', () => {
  const axis = Axis.clock(75 * S, 920, [{from: 8 * S, to: 18 * S}]);
  const all = ticks(axis);
  assert.equal(all[0]!.label, '0 s');
  assert.ok(all.every((t) => t.t <= 8 * S || t.t >= 18 * S));
});
