// Where things stand in the picture: the numbers of look/desktop.html, and how
// rows get tighter when there are many.

export const GUTTER = 136;
export const RIGHT = 16;

export interface Place {
  width: number;
  height: number;
  /** Names stand left of it. */
  gutter: number;
  /** Room for time, right of the gutter. */
  plot: number;
  /** Where the wait bar and the state of the group stand; 0: the state has no row. */
  wait: number;
  state: number;
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
      width, gutter: GUTTER, plot: Math.max(120, width - GUTTER - RIGHT), wait: 30, state: 54, bands,
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
