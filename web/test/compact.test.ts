// What compaction leaves of a log.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {LogRecord} from '../src/engine/types.ts';
import {compacted, superseded} from '../src/side/compact.ts';
import {schemas} from '../src/side/record.ts';

let at = 0;
const put = (r: Partial<LogRecord>): LogRecord => ({offset: at, at: at++ * 1e6, cause: 1, key: 'offset', keyVersion: 1, valueVersion: 3, tombstone: false, current: false, group: 'checkout', ...r});
const commit = (partition: string, committed: number, more: Partial<LogRecord> = {}) => put({partition, committed, ...more});
const group = (generation: number, more: Partial<LogRecord> = {}) => put({key: 'group', keyVersion: 2, generation, ...more});
const gone = (r: LogRecord): LogRecord => {
  const {valueVersion: _, ...rest} = r;
  return {...rest, tombstone: true};
};

const offsets = (records: LogRecord[]) => compacted(records).map((r) => r.offset);
const log = (make: () => LogRecord[]): LogRecord[] => {
  at = 0;
  return make();
};

test('of every key the newest record stays; partitions, groups and kinds of keys are different keys', () => {
  const records = log(() => [group(1), commit('orders-0', 10), commit('orders-1', 10), commit('orders-0', 20), group(1, {group: 'audit'}), commit('orders-0', 5, {group: 'audit'}), group(2), commit('orders-0', 30)]);
  assert.deepEqual(offsets(records), [2, 4, 5, 6, 7]);
  assert.deepEqual([...superseded(records)], [[1, 3], [0, 6], [3, 7]], 'each by the next of its key');
});

test('a tombstone takes its key away, itself included, until somebody writes it again', () => {
  const records = log(() => [commit('orders-0', 10), gone(commit('orders-0', 0)), group(1), gone(group(0)), commit('orders-0', 20)]);
  assert.deepEqual(offsets(records.slice(0, 4)), []);
  assert.deepEqual(offsets(records), [4]);
});

test('names cannot be taken for other keys; markers have none', () => {
  const records = log(() => [commit('a-0', 1, {group: 'g'}), commit('0', 1, {group: 'g","a'}), put({key: 'marker', keyVersion: -1}), put({key: 'marker', keyVersion: -1}), commit('a-0', 2, {group: 'g"'})]);
  assert.deepEqual(offsets(records), [0, 1, 4]);
  assert.equal(superseded(records).size, 0);
});

test('key and value have versions; a tombstone has no value', () => {
  assert.deepEqual([schemas(commit('orders-0', 1)), schemas(group(1, {valueVersion: 0})), schemas(gone(group(1)))], ['v1→v3', 'v2→v0', 'v2→null']);
});
