// What the element takes from a page, and that its types are those of its file.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {RebalanceLab as Declared} from '../public/rebalance-lab.d.ts';
import type {RebalanceLab} from '../src/embed/element.ts';
import {timeOf} from '../src/embed/text.ts';

/** Fails to compile where what is declared is not what is built. */
type Same = [Pick<RebalanceLab, Exclude<keyof Declared, keyof HTMLElement>>, Pick<Declared, Exclude<keyof Declared, keyof HTMLElement>>];
const built = (all: Same[0]): Same[1] => all;
const declared = (all: Same[1]): Same[0] => all;

test('times as the language writes them', () => {
  assert.equal(typeof built, typeof declared);
  assert.equal(timeOf('41s'), 41e6);
  assert.equal(timeOf('8m'), 480e6);
  assert.equal(timeOf('500ms'), 5e5);
  assert.equal(timeOf('2.5s'), 2.5e6);
  assert.equal(timeOf('1h'), 3600e6);
  for (const none of [null, '', '41', 's', '-3s', '4 s', '41x', '1m30s']) assert.equal(timeOf(none), undefined, String(none));
});
