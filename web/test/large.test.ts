import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fit, keep} from '../src/picture/fold.ts';
import {handedIn} from '../src/picture/motion.ts';
import {place} from '../src/picture/place.ts';
import type {Row, RowSpan} from '../src/picture/rows.ts';

test('rows that matter are kept, in their order; one place is for the number of the others', () => {
  const all = Array.from({length: 20}, (_, i) => i);
  assert.deepEqual(keep(all, 5, (n) => n === 17 || n === 3), [0, 1, 3, 17]);
  assert.deepEqual(keep(all, 20, () => false), all);
});

test('what is kept fits: both bands stay in sight', () => {
  for (const [rows, consumers] of [[42, 21], [80, 40], [24, 12], [9, 9]] as const) for (const room of [480, 612, 690]) {
    const most = fit(room, rows, consumers, 3);
    assert.ok(most.rows <= rows && most.consumers <= consumers && most.rows >= 5 && most.consumers >= 5);
    if (room >= 600) assert.ok(place(1080, room, most.rows, 3, most.consumers).bottom + 42 <= room, `${rows} rows, ${consumers} members, ${room} px`);
  }
});

test('the legend stays in sight in a low window', () => {
  const p = place(760, 522, 6, 3, 4);
  assert.ok(p.legend + 10 < 522);
});

test('which bars change hands between two moments', () => {
  const span = (from: number, to: number, state: RowSpan['state'], node: number): RowSpan => ({from, to, state, node, label: ''});
  const row: Row = {name: 'orders-0', node: 0, records: [], commits: [], lag: [], lane: null, spans: [span(0, 10, 'reads', -1), span(10, 20, 'nobody', 0), span(20, 30, 'reads', -2)]};
  assert.deepEqual(handedIn([row], 10, 20).map((h) => [h.old?.node, h.next.node]), [[-1, -2]]);
  assert.deepEqual(handedIn([row], 20, 25), [], 'only what begins after the first moment');
});
