// Look-ups on a Picture: what was, is or will be so at a time. All of them are
// synchronous, so that the page follows the playhead without asking the engine.

import type {CoordinatorSpan, EngineEvent, GroupPicture, GroupSpan, Lane, LaneSpan, LifeSpan, Node, Picture, WaitSpan} from '../engine/types.ts';

/** The span that holds at t: from ≤ t < to, the last one also at its end. */
export function spanAt<S extends {from: number; to: number}>(spans: readonly S[], t: number): S | undefined {
  let low = 0, high = spans.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (spans[mid]!.from <= t) low = mid + 1;
    else high = mid;
  }
  const found = spans[low - 1];
  if (!found) return undefined;
  return t < found.to || (t === found.to && low === spans.length) ? found : undefined;
}

export function groupOf(picture: Picture, id: string): GroupPicture | undefined {
  return picture.groups.find((g) => g.id === id) ?? picture.groups[0];
}

export function stateAt(group: GroupPicture | undefined, t: number): GroupSpan | undefined {
  return group && spanAt(group.states, t);
}

export function waitAt(group: GroupPicture | undefined, t: number): WaitSpan | undefined {
  const wait = group && spanAt(group.waits, t);
  return wait && wait.kind !== 'none' ? wait : undefined;
}

export function coordinatorAt(picture: Picture, group: string, t: number): Node {
  const spans: CoordinatorSpan[] = picture.coordinators.filter((s) => s.group === group);
  return spanAt(spans, t)?.node ?? 0;
}

const lives = new WeakMap<Picture, Map<Node, LifeSpan[]>>();

/** A node's life; neighbours in the same state are one span. */
export function livesOf(picture: Picture, node: Node): LifeSpan[] {
  let all = lives.get(picture);
  if (!all) {
    all = new Map();
    for (const s of picture.lives) {
      const mine = all.get(s.node), last = mine?.[mine.length - 1];
      if (last && last.state === s.state && last.to === s.from) last.to = s.to;
      else if (mine) mine.push({...s});
      else all.set(s.node, [{...s}]);
    }
    lives.set(picture, all);
  }
  return all.get(node) ?? [];
}

export function lifeAt(picture: Picture, node: Node, t: number): LifeSpan['state'] {
  return spanAt(livesOf(picture, node), t)?.state ?? 'absent';
}

export function laneName(lane: Pick<Lane, 'topic' | 'partition'>): string {
  return `${lane.topic}-${lane.partition}`;
}

/** Index of the last event with at ≤ t, -1 before the first. */
export function eventIndexAt(events: readonly EngineEvent[], t: number): number {
  let low = 0, high = events.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (events[mid]!.at <= t) low = mid + 1;
    else high = mid;
  }
  return low - 1;
}

/** The kept event with this number. */
export function eventByNumber(events: readonly EngineEvent[], n: number): EngineEvent | undefined {
  let low = 0, high = events.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (events[mid]!.n < n) low = mid + 1;
    else high = mid;
  }
  return events[low]?.n === n ? events[low] : undefined;
}

/** The events that led to this one, itself first, the root last. The first routine event ends it: before it there is only more of the same. */
export function chain(events: readonly EngineEvent[], n: number, routine: (n: number) => EngineEvent | undefined = () => undefined): EngineEvent[] {
  const found: EngineEvent[] = [];
  for (let e = eventByNumber(events, n); e && found.length < 200;) {
    found.push(e);
    if (!e.cause) break;
    const cause = eventByNumber(events, e.cause);
    const counted = cause ? undefined : routine(e.cause);
    if (counted) found.push(counted);
    e = cause;
  }
  return found;
}

/** Where a lane's lag stood at t, straight between its points; -1: not known. */
export function lagAt(lane: Lane, t: number): number {
  const points = lane.lag;
  let low = 0, high = points.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (points[mid]![0] <= t) low = mid + 1;
    else high = mid;
  }
  const before = points[low - 1], after = points[low];
  if (!before) return -1;
  if (!after || after[0] === before[0] || before[1] < 0 || after[1] < 0) return before[1];
  return Math.round(before[1] + (after[1] - before[1]) * (t - before[0]) / (after[0] - before[0]));
}

export interface Reading {
  reads: LaneSpan[];
  /** Names of partitions that nobody reads. */
  unread: string[];
  /** Of those, the ones whose owner on record is dead or stuck. */
  stuck: string[];
  /** Of those, the ones whose partition has no leader. */
  leaderless?: string[];
}

export function readingAt(lanes: readonly Lane[], t: number): Reading {
  const reading: Required<Reading> = {reads: [], unread: [], stuck: [], leaderless: []};
  for (const lane of lanes) {
    const span = spanAt(lane.spans, t);
    if (!span) continue;
    if (span.state === 'reads') reading.reads.push(span);
    else {
      reading.unread.push(laneName(lane));
      if (span.state === 'stuck') reading.stuck.push(laneName(lane));
      if (span.state === 'leaderless') reading.leaderless.push(laneName(lane));
    }
  }
  return reading;
}

/** The last kept event up to t that the test accepts. */
export function lastBefore(events: readonly EngineEvent[], t: number, test: (e: EngineEvent) => boolean): EngineEvent | undefined {
  for (let i = eventIndexAt(events, t); i >= 0; i--) if (test(events[i]!)) return events[i];
  return undefined;
}

export function firstAfter(events: readonly EngineEvent[], t: number, test: (e: EngineEvent) => boolean): EngineEvent | undefined {
  for (let i = eventIndexAt(events, t) + 1; i < events.length; i++) if (test(events[i]!)) return events[i];
  return undefined;
}
