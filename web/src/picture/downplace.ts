// The columns where time runs down: partitions, the coordinators, consumers.
// The numbers are those of look/narrow.html. Pure.

import {LEAST, PX_PER_SECOND} from './axis.ts';
import {keep} from './fold.ts';
import type {Place} from './place.ts';

export const TIME = 46;
export const HEAD = 46;
/** Under the columns: the legend. */
export const FOOT = 26;

/** Pitch of a partition and its bar; pitch of a consumer. */
const PITCHES: [lane: number, bar: number, consumer: number][] = [[28, 15, 52], [24, 11.5, 44], [21, 11.5, 34], [17, 9, 32], [14, 7, 30], [12, 6, 28]];
/** From the last broker to the first consumer, and between two brokers. */
const BROKER = 44, NEXT_BROKER = 26;

const brokersWide = (brokers: number) => BROKER + Math.max(0, brokers - 1) * NEXT_BROKER;

export function placeDown(width: number, height: number, rows: number, brokers: number, consumers: number): Place {
  const right = ([lane, , consumer]: (typeof PITCHES)[number]) => TIME + rows * lane + 22 + brokersWide(brokers) + (consumers - 1) * consumer + 15;
  const [lane, bar, consumer] = PITCHES.find((p) => right(p) <= width) ?? PITCHES[PITCHES.length - 1]!;
  const brokersTop = TIME + rows * lane + 22, consumersTop = brokersTop + brokersWide(brokers);
  return {
    width, height, gutter: 0, plot: height - HEAD - FOOT, second: [PX_PER_SECOND, LEAST], wait: 0, bands: 'both',
    lane: {top: TIME, pitch: lane, bar, record: 2.5}, lanesEnd: TIME + rows * lane,
    brokers: {top: brokersTop, pitch: NEXT_BROKER}, consumers: {top: consumersTop, pitch: consumer},
    bottom: height - FOOT, legend: height - 13,
  };
}

/** What has room in the tightest columns; those that tell something stay. */
export function fitDown<R, N>(width: number, rows: R[], brokers: number, consumers: N[], tells: {row(r: R): boolean; consumer(n: N): boolean}): {rows: R[]; consumers: N[]} {
  const [lane, , consumer] = PITCHES[PITCHES.length - 1]!, free = width - TIME - 22 - brokersWide(brokers);
  const most = Math.max(3, Math.min(consumers.length, Math.floor((free - Math.min(rows.length, 6) * lane) / consumer)));
  return {
    consumers: keep(consumers, most, tells.consumer),
    rows: keep(rows, Math.max(3, Math.floor((free - Math.min(most, consumers.length) * consumer) / lane)), tells.row),
  };
}
