// Lays out the messages: what was sent in one moment becomes one burst, and a
// burst shows at most three arrows and a number. Pure; messages.ts draws it.

import type {EngineEvent, Node} from '../engine/types.ts';
import type {Axis} from './axis.ts';

export interface Message {
  n: number;
  from: number;
  to: number;
  consumer: Node;
  broker: Node;
  /** From the consumer to the broker. */
  request: boolean;
  api: string;
  error: string;
  lost: boolean;
  rejoin: boolean;
}

export interface Burst {
  consumer: Node;
  at: number;
  until: number;
  messages: Message[];
  /** The arrows that are drawn, left to right. */
  arrows: Message[];
  /** Messages in all when some are not drawn, else 0. */
  folded: number;
  errors: string[];
  rejoin: boolean;
  /** The same question again and again: its API, else empty. */
  again: string;
  /** Pixels right of its true place, at most 24. */
  fan: number;
}

/** Room between two arrows of a burst. */
export const ARROW = 3.5;
export const MOST_FAN = 24;

export function messagesOf(events: readonly EngineEvent[], consumers: readonly Node[]): Message[] {
  const mine = new Set(consumers);
  const lost = new Set(events.filter((e) => e.kind === 'lost').map((e) => e.cause));
  const synced = new Set<Node>();
  const out: Message[] = [];
  for (const e of events) {
    const request = e.kind === 'request';
    if (!request && e.kind !== 'response') continue;
    const consumer = (request ? e.node : e.peer) ?? 0, broker = (request ? e.peer : e.node) ?? 0;
    if (!mine.has(consumer)) continue;
    const api = e.api ?? '', error = e.error ?? '';
    out.push({
      n: e.n, from: e.at, to: e.due ?? e.at, consumer, broker, request, api, error, lost: lost.has(e.n),
      rejoin: request && api === 'JoinGroup' && synced.has(consumer) && Boolean(e.member ?? true),
    });
    if (!request && api === 'SyncGroup' && !error) synced.add(consumer);
  }
  return out;
}

/** Messages of one consumer that stand closer than an arrow's head; `dense`: so many members that a burst is one arrow. */
export function bursts(messages: readonly Message[], axis: Axis, dense = false): Burst[] {
  const open = new Map<Node, Burst>();
  let out: Burst[] = [];
  for (const m of messages) {
    const last = open.get(m.consumer);
    const near = last && (axis.causal ? m.from === last.at : axis.x(m.from) - axis.x(last.until) < 6 && m.from - last.until < 1_000_000);
    if (near) {
      last.messages.push(m);
      last.until = Math.max(last.until, m.to);
    } else {
      const burst: Burst = {consumer: m.consumer, at: m.from, until: m.to, messages: [m], arrows: [], folded: 0, errors: [], rejoin: false, again: '', fan: 0};
      open.set(m.consumer, burst);
      out.push(burst);
    }
  }
  if (!axis.causal) out = foldRepeats(out);
  for (const b of out) choose(b, dense && !axis.causal);
  if (!axis.causal) fanOut(out, axis);
  return out;
}

/** A question that is asked this soon again is the same question. */
const AGAIN = 2_500_000;
const LEAST_REPEATS = 3;

/** Whoever asks the same again and again shows it once, with a number. */
function foldRepeats(all: readonly Burst[]): Burst[] {
  const gone = new Set<Burst>();
  const rows = new Map<Node, Burst[]>();
  for (const b of all) rows.set(b.consumer, [...rows.get(b.consumer) ?? [], b]);
  for (const row of rows.values()) {
    for (let i = 0; i < row.length;) {
      const first = row[i]!, api = first.messages[0]!.api;
      const same = (b: Burst) => b.messages.every((m) => m.api === api && !m.rejoin);
      let j = i + 1;
      if (same(first)) while (j < row.length && same(row[j]!) && row[j]!.at - row[j - 1]!.until < AGAIN) j++;
      if (j - i >= LEAST_REPEATS) {
        for (const b of row.slice(i + 1, j)) {
          first.messages.push(...b.messages);
          gone.add(b);
        }
        first.until = row[j - 1]!.until;
        first.again = api;
      }
      i = j;
    }
  }
  return all.filter((b) => !gone.has(b));
}

/** Errors that change what a client does are worth their own arrow. */
const QUIET_ERRORS = new Set(['', 'MEMBER_ID_REQUIRED']);

function choose(b: Burst, dense: boolean): void {
  const all = b.messages;
  b.errors = [...new Set(all.map((m) => m.error).filter(Boolean))];
  b.rejoin = all.some((m) => m.rejoin);
  const bad = all.findIndex((m) => !m.request && !QUIET_ERRORS.has(m.error));
  const last = all[all.length - 1]!;
  if (b.again) b.arrows = [all[0]!, all.find((m) => !m.request) ?? last].slice(0, dense ? 1 : 2);
  else if (dense) b.arrows = [all[bad] ?? last];
  else if (all.length <= 3) b.arrows = all;
  else if (bad >= 0) b.arrows = [...new Set([all[bad - 1] ?? all[bad]!, all[bad]!, all.findLast((m) => m.request) ?? last])].sort((p, q) => p.n - q.n);
  else b.arrows = [all.find((m) => m.lost) ?? last];
  b.folded = all.length > b.arrows.length ? all.length : 0;
}

/** Bursts of several consumers at the same place step aside, first come first. */
function fanOut(all: Burst[], axis: Axis): void {
  let run: Burst[] = [];
  const close = () => {
    const wide = Math.max(...run.map((b) => (b.arrows.length - 1) * ARROW));
    const step = run.length > 1 ? Math.min(wide + 7, (MOST_FAN - wide) / (run.length - 1)) : 0;
    const rows = [...run].sort((p, q) => q.consumer - p.consumer);
    // The first moment stands on the edge of the picture: arrows step inside.
    rows.forEach((b, i) => (b.fan = (axis.x(b.at) < 4 ? 4 : 0) + Math.round(i * step * 10) / 10));
  };
  for (const b of all) {
    if (run.length && axis.x(b.at) - axis.x(run[0]!.at) > 8) {
      close();
      run = [];
    }
    run.push(b);
  }
  if (run.length) close();
}

/** The moments that get a step of their own in causal spacing. */
export function causalMoments(events: readonly EngineEvent[], consumers: readonly Node[]): number[] {
  const mine = new Set(consumers);
  const times = new Set<number>();
  for (const e of events) {
    const about = mine.has(e.node ?? 0) || mine.has(e.peer ?? 0);
    if ((e.kind === 'request' || e.kind === 'response') && about) times.add(e.at).add(e.due ?? e.at);
    else if (e.kind === 'group-state' || e.kind === 'command' || e.kind === 'timer-fired' || e.kind.startsWith('broker')) times.add(e.at);
    else if (about && (e.kind === 'partitions-assigned' || e.kind === 'partitions-revoked')) times.add(e.at);
  }
  return [...times].sort((a, b) => a - b);
}
