// The rows of the ownership band: one a partition, or one a member. Both have
// the same form, so that one drawing serves both.

import type {Lane, LaneSpan, Node, Picture} from '../engine/types.ts';
import {laneName} from '../run/look.ts';

export interface RowSpan {
  from: number;
  to: number;
  state: LaneSpan['state'];
  /** Whose hue: the reader, or the owner that does not read. */
  node: Node;
  label: string;
}

export interface Row {
  name: string;
  /** A member's row: its node. */
  node: Node;
  spans: RowSpan[];
  records: {from: number; to: number; node: Node}[];
  commits: number[];
  lag: [number, number][];
  lane: Lane | null;
  /** Not a row: so many are hidden; -1: all are shown and may be folded. */
  more?: number;
}

export function partitionRows(lanes: readonly Lane[], nameOf: (node: Node) => string): Row[] {
  return lanes.map((lane) => ({
    name: laneName(lane),
    node: 0,
    spans: merge(lane.spans.map((s) => {
      const node = s.state === 'reads' ? s.reader : s.state === 'stuck' ? s.reader || s.owner : 0;
      return {from: s.from, to: s.to, state: s.state, node, label: node && s.state === 'reads' ? nameOf(node) : ''};
    }), (a, b) => a.state === b.state && a.node === b.node),
    records: merge(lane.spans.filter((s) => s.owner).map((s) => ({from: s.from, to: s.to, node: s.owner})), (a, b) => a.node === b.node),
    commits: lane.commits.map(([t]) => t),
    lag: lane.lag,
    lane,
  }));
}

/** A member reads while it reads at least one partition; the label lists them. */
export function memberRows(lanes: readonly Lane[], members: readonly Node[], nameOf: (node: Node) => string): Row[] {
  return members.map((node) => {
    const cuts = new Set<number>();
    const mine = lanes.map((lane) => ({lane, spans: lane.spans.filter((s) => s.reader === node || s.owner === node)}));
    for (const {spans} of mine) for (const s of spans) cuts.add(s.from).add(s.to);
    const times = [...cuts].sort((a, b) => a - b);
    const spans: RowSpan[] = [], records: Row['records'] = [];
    for (let i = 1; i < times.length; i++) {
      const from = times[i - 1]!, to = times[i]!;
      const now = mine.flatMap(({lane, spans}) => spans.filter((s) => s.from <= from && s.to >= to).map((s) => ({lane, s})));
      if (!now.length) continue;
      const reads = now.filter(({s}) => s.state === 'reads' && s.reader === node);
      const stuck = now.some(({s}) => s.state === 'stuck');
      const label = reads.length > 6 ? `${reads.length} partitions` : reads.map(({lane}) => laneName(lane)).join(', ');
      if (reads.length) spans.push({from, to, state: 'reads', node, label});
      else spans.push({from, to, state: stuck ? 'stuck' : 'nobody', node: stuck ? node : 0, label: ''});
      if (now.some(({s}) => s.owner === node)) records.push({from, to, node});
    }
    return {
      name: nameOf(node), node, lag: [], lane: null,
      spans: merge(spans, (a, b) => a.state === b.state && a.label === b.label),
      records: merge(records, () => true),
      commits: [],
    };
  });
}

/** Joins neighbours that touch and look the same. */
function merge<S extends {from: number; to: number}>(spans: S[], same: (a: S, b: S) => boolean): S[] {
  const out: S[] = [];
  for (const s of spans) {
    const last = out[out.length - 1];
    if (s.to <= s.from) continue;
    if (last && last.to === s.from && same(last, s)) last.to = s.to;
    else out.push({...s});
  }
  return out;
}

/** Small lags stay small in the picture. */
const LEAST_LAG = 200;

/** The largest lag of all rows: one scale for all. */
export function mostLag(rows: readonly Row[]): number {
  let most = LEAST_LAG;
  for (const row of rows) for (const [, n] of row.lag) if (n > most) most = n;
  return most;
}

export function lanesOf(picture: Picture, group: string): Lane[] {
  return picture.lanes.filter((l) => l.group === group);
}
