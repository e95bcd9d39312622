// What a log line can say of an event. Names are those of the templates.

import type {EngineEvent} from '../engine/types.ts';
import {holds, older, type Book, type Facts} from './book.ts';

/** Where an event stands. */
export interface Surroundings {
  version: string;
  events: readonly EngineEvent[];
  /** The partition of __consumer_offsets that a group lives in. */
  partitionOf(group: string): number;
}

const ms = (t: number) => Math.floor(t / 1000);
/** As Scala prints an Option. */
const option = (id: string) => id ? `Some(${id})` : 'None';

/** The facts of the event i. */
export function factsOf(book: Book, around: Surroundings, i: number): Facts {
  const e = around.events[i]!, {version} = around;
  const java = !older(version, '4.0.0');
  const text = e.text ?? '', instance = (e.kind === 'leader-elected' ? e.about?.instance : e.instance) ?? '';
  const facts: Facts = {
    node: (e.node ?? 0) > 0 ? String(e.node) : '', peer: e.peer ? String(e.peer) : '',
    generation: String(e.generation ?? 0), epoch: String(e.generation ?? 0), config: e.config ?? '',
    member: e.member ?? '', instance, instanceOption: option(instance), instanceOrEmpty: instance,
    members: String(e.count ?? 0), statics: String(e.statics ?? 0), operation: e.api ?? '', ...said(e, text),
  };
  if (e.group !== undefined) Object.assign(facts, {group: e.group, partition: String(around.partitionOf(e.group))});
  if (e.about) {
    const {protocols, sessionTimeoutMs, rebalanceTimeoutMs, clientId, clientHost} = e.about;
    Object.assign(facts, {clientId, clientHost, sessionTimeoutMs: String(sessionTimeoutMs), rebalanceTimeoutMs: String(rebalanceTimeoutMs), protocols: protocols.join(', '), protocolType: 'consumer'});
  }
  const ids = idsOf(around.events, i);
  if (ids.length) facts['ids'] = java ? `[${ids.join(', ')}]` : `${text === 'did not sync' && ids.length > 4 ? 'HashSet' : 'Set'}(${ids.join(', ')})`;
  const cause = around.events[before(around.events, i, e.cause)];
  facts['clientReason'] = cause?.api === 'LeaveGroup' && cause.text || 'not provided';
  if (e.kind === 'load-ended') Object.assign(facts, times(around.events, i));
  if (e.kind === 'leader-moved') Object.assign(facts, moved(e, cause));
  // Only what did not keep the generation makes a rebalance.
  if (e.kind === 'member-replaced') facts['rebalances'] = follows(around.events, i, 'rebalance-began') ? '*' : '';
  for (const w of book.words) if (holds(w, version) && w.field in facts) facts[w.field] = w.values[facts[w.field]!] ?? facts[w.field]!;
  return facts;
}

/** What the text of an event and its state mean, by its kind. */
function said(e: EngineEvent, text: string): Facts {
  switch (e.kind) {
    case 'rebalance-began':
      return {state: 'PreparingRebalance', reason: text}; // the state after the step
    case 'group-state':
      return {newState: e.state ?? '', prev: e.prev ?? ''};
    case 'member-added':
      return {pending: text, state: e.state ?? ''};
    case 'member-pending':
      return {state: e.state ?? ''};
    case 'member-replaced':
    case 'member-fenced':
      return {oldMember: text, state: e.state ?? ''};
    case 'leader-elected':
    case 'delay-extended': // the leader that did not rejoin
      return {oldMember: e.kind === 'leader-elected' ? text : e.member ?? '', oldInstanceOption: option(e.instance ?? ''), oldInstanceOrNone: e.instance || 'None'};
    case 'load-began':
    case 'load-ended':
      return {partition: String(e.count ?? 0)};
  }
  return {why: text};
}

/** Members that a broker names in one line. It belongs to the first of their events. */
function idsOf(events: readonly EngineEvent[], i: number): string[] {
  const e = events[i]!;
  if (e.kind === 'assignment-received') return e.text ? e.text.split(', ') : [];
  if (e.kind !== 'member-removed') return [];
  const alike = (other: EngineEvent) => other.kind === e.kind && other.text === e.text && other.group === e.group && other.cause === e.cause;
  const from = before(events, i, e.cause) + 1;
  const all: EngineEvent[] = [];
  for (let j = Math.max(0, from); events[j]?.at === e.at || j < i; j++) if (alike(events[j]!)) all.push(events[j]!);
  return all[0] === e ? all.map((m) => m.member ?? '') : [];
}

/** Index of the event n before i; -1 if it was only counted. */
function before(events: readonly EngineEvent[], i: number, n: number): number {
  let low = 0, high = i;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (events[mid]!.n < n) low = mid + 1;
    else high = mid;
  }
  return events[low]?.n === n ? low : -1;
}

/** Whether the event i causes one of a kind in the same moment. */
export function follows(events: readonly EngineEvent[], i: number, kind: string): boolean {
  const e = events[i]!;
  for (let j = i + 1; events[j]?.at === e.at; j++) if (events[j]!.kind === kind && events[j]!.cause === e.n) return true;
  return false;
}

/** How long a partition took to load, and since it was to be loaded. */
function times(events: readonly EngineEvent[], i: number): Facts {
  const end = events[i]!;
  const began = before(events, i, end.cause), at = events[began]?.at ?? end.at;
  const planned = events[before(events, i, events[began]?.cause ?? 0)]?.at ?? at;
  return {loadMs: String(ms(end.at) - ms(at)), totalMs: String(ms(end.at) - ms(planned)), schedulerMs: String(ms(at) - ms(planned))};
}

/** The new leader is elected; the old one resigns, unless it is dead: then its session has expired. */
function moved(e: EngineEvent, cause: EngineEvent | undefined): Facts {
  const [, topic, partition] = /^(.*)-(\d+)$/.exec(e.partition ?? '') ?? ['', '', ''];
  const dead = cause?.kind === 'timer-fired' && cause.node === e.peer;
  return {topic: topic!, partition: partition!, elects: e.node ? '*' : '', resigns: e.peer && !dead ? '*' : ''};
}
