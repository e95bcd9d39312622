// Where things stand in the picture: the numbers of look/desktop.html, and how
// rows get tighter when there are many.

import {LEAST, PX_PER_SECOND} from './axis.ts';

export const GUTTER = 136;
export const RIGHT = 16;

export interface Place {
  width: number;
  height: number;
  /** Names stand left of it. */
  gutter: number;
  /** Room for time, right of the gutter. */
  plot: number;
  /** Pixels a second: below the first idle time folds, below the second the picture scrolls. */
  second: [wish: number, least: number];
  /** Where the wait bar stands. */
  wait: number;
  lane: {top: number; pitch: number; bar: number; record: number};
  lanesEnd: number;
  brokers: {top: number; pitch: number};
  consumers: {top: number; pitch: number};
  bottom: number;
  legend: number;
  bands: Bands;
}

export type Bands = 'both' | 'ownership' | 'messages';

/** Pitches from comfortable to tight: lane, its bar, its record, consumer. */
const TIGHTNESS: [number, number, number, number][] = [
  [32, 18, 3, 43], [32, 18, 3, 36], [28, 16, 3, 30], [26, 15, 3, 27], [20, 12, 2, 26], [20, 12, 2, 16], [16, 10, 2, 22], [12, 7, 2, 16],
];
/** The tightest rows whose names can be read; `fixed` is what stands above, between and below. */
export const READABLE = {lane: 20, consumer: 16, fixed: 86 + 10 + 36 + 14 + 16 + 42};
/** Where nothing fits the page scrolls, and rows stay readable. */
const SCROLLS = 4;
/** The same for more than eight members: their marks would cover each other. */
const MANY_SCROLL = 5;

export function place(width: number, room: number, rows: number, brokers: number, consumers: number, bands: Bands = 'both', many = false): Place {
  let found: Place | null = null;
  const all = [...TIGHTNESS.keys()];
  // Up to eight members keep their distance; the page scrolls before they shrink too far.
  const order = !many && rows <= 8 && consumers <= 8 ? all.slice(0, 4) : [...all, many ? MANY_SCROLL : SCROLLS];
  for (const i of order) {
    const [pitch, bar, record, consumer] = TIGHTNESS[i]!;
    const top = 86;
    const lanes = bands === 'messages' ? 82 : top + rows * pitch + 10;
    const brokersTop = lanes + (bands === 'messages' ? 14 : 36);
    const consumersTop = brokersTop + (brokers - 1) * 22 + (consumer < 22 ? 36 : Math.max(26, consumer));
    const bottom = bands === 'ownership' ? lanes : consumersTop + (consumers - 1) * consumer + Math.min(30, consumer);
    const legend = bottom + 19;
    found = {
      width, gutter: GUTTER, plot: Math.max(120, width - GUTTER - RIGHT), second: [PX_PER_SECOND, LEAST], wait: 30, bands,
      height: Math.max(room, legend + 23),
      lane: {top, pitch, bar, record}, lanesEnd: lanes,
      brokers: {top: brokersTop, pitch: 22},
      consumers: {top: consumersTop, pitch: consumer},
      bottom, legend,
    };
    if (bottom + 42 <= room) break;
  }
  return found!;
}

/** Pitches of the small picture: lane, its bar, its record. */
const SMALL: [number, number, number][] = [[29, 18, 3], [25, 15, 3], [20, 12, 2]];
const SMALL_GUTTER = 92;
/** Down to here the small picture goes without growing: lanes, messages. */
const LANES_ROOM = 242, MESSAGES_ROOM = 260;

/** One band inside of another page, as look/embed.html has it. Both bands are as tall: the switch moves nothing. */
export function placeSmall(width: number, rows: number, brokers: number, consumers: number, bands: Bands): Place {
  const top = 66, [pitch, bar, record] = SMALL.find(([p]) => top + rows * p <= LANES_ROOM) ?? SMALL[SMALL.length - 1]!;
  const lanesEnd = top + rows * pitch + 10, brokersTop = top + 6, consumersTop = brokersTop + (brokers - 1) * 22 + 32;
  const consumer = Math.max(24, Math.min(36, Math.floor((MESSAGES_ROOM - 18 - consumersTop) / Math.max(1, consumers - 1))));
  const messagesEnd = consumersTop + (consumers - 1) * consumer + 18;
  const bottom = bands === 'ownership' ? lanesEnd - 8 : messagesEnd;
  return {
    width, gutter: SMALL_GUTTER, plot: Math.max(120, width - SMALL_GUTTER - RIGHT), second: [8, 7], wait: 28, bands,
    height: Math.max(lanesEnd - 8, messagesEnd) + 22,
    lane: {top, pitch, bar, record}, lanesEnd: bands === 'ownership' ? lanesEnd : 0,
    brokers: {top: brokersTop, pitch: 22}, consumers: {top: consumersTop, pitch: consumer},
    bottom, legend: bottom + 8,
  };
}
