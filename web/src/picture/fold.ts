// Which rows are drawn when not all have room: those that teach something and
// the first ones; the last place is for a number that opens the others. Pure.

import {READABLE} from './place.ts';

/** The order stays; those that must be seen come before others. */
export function keep<T>(all: readonly T[], most: number, must: (one: T) => boolean): T[] {
  if (all.length <= most) return [...all];
  const chosen = new Set<T>();
  for (const one of [...all.filter(must), ...all]) if (chosen.size < most - 1) chosen.add(one);
  return all.filter((one) => chosen.has(one));
}

/** How many rows of each band fit, the count of hidden ones included. */
export function fit(room: number, rows: number, consumers: number, brokers: number): {rows: number; consumers: number} {
  const {lane, consumer, fixed} = READABLE;
  const free = room - fixed - brokers * 22;
  if (rows * lane + consumers * consumer <= free) return {rows, consumers};
  const least = Math.max(5, Math.floor(free * 0.5 / consumer));
  const members = Math.min(consumers, Math.max(least, Math.floor((free - rows * lane) / consumer)));
  return {rows: Math.min(rows, Math.max(5, Math.floor((free - members * consumer) / lane))), consumers: members};
}
