// What compaction makes of a log: of every key the newest record stays, and a
// tombstone goes when its time has come.

import type {LogRecord} from '../engine/types.ts';

/** What two records have in common of which one supersedes the other. */
function keyOf(r: LogRecord): string {
  return JSON.stringify([r.keyVersion, r.group, r.partition ?? '']);
}

/** By its offset the record that superseded one: the next of its key. Markers have no key. */
export function superseded(records: readonly LogRecord[]): Map<number, number> {
  const by = new Map<number, number>(), newest = new Map<string, number>();
  for (const r of records) {
    if (r.key === 'marker') continue;
    const before = newest.get(keyOf(r));
    if (before !== undefined) by.set(before, r.offset);
    newest.set(keyOf(r), r.offset);
  }
  return by;
}

/** What is left: the last value of every key. */
export function compacted(records: readonly LogRecord[]): LogRecord[] {
  const by = superseded(records);
  return records.filter((r) => !by.has(r.offset) && !r.tombstone && r.key !== 'marker');
}
