// What is so at the playhead, in the terms that the sentence speaks in. From
// the Picture alone, so that it is true in every frame.

import type {EngineEvent, GroupState, Node, Picture, Scenario, Wait} from '../engine/types.ts';
import {memberNode} from '../engine/members.ts';
import {coordinatorAt, groupOf, lastBefore, lifeAt, readingAt, stateAt, waitAt, type Reading} from './look.ts';

export interface Situation {
  now: number;
  group: string;
  partition: number;
  state: GroupState;
  since: number;
  generation: number;
  protocol: string;
  leader: Node;
  coordinator: Node;
  wait: Wait | undefined;
  /** Whom the sentence names: the one that decides first, and those in the same case. */
  waited: Node[];
  /** Consumers of the group that run, or that died without a word. */
  members: Node[];
  parked: Node[];
  reading: Reading;
  lanes: number;
  /** Why the group waits, as far as events say. */
  why: Why;
}

export interface Why {
  /** What happened to the one that is waited for. */
  fate: 'killed' | 'stopped' | 'cut' | 'stalled' | 'busy' | 'alive' | 'unknown';
  /** When. */
  at: number;
  /** Broker that went down, for a wait for the coordinator. */
  broker: Node;
  /** Who joined, left or expired, so that the rebalance began. */
  trigger: {node: Node; what: 'joined' | 'rejoined' | 'left' | 'expired' | 'unknown'; at: number} | undefined;
  /** When a broker that was killed was started again: it registers only when its old session has ended. */
  back?: number;
  /** Others that are waited for and had the same fate. */
  alike: Node[];
  /** Others that are waited for and are gone as well, but not at the same time. */
  gone?: Node[];
  /** The delay was extended because somebody else joined. */
  extended: boolean;
}

export function situation(picture: Picture, scenario: Scenario, group: string, now: number, wait: Wait | undefined = waitAt(groupOf(picture, group), now)): Situation {
  const g = groupOf(picture, group), state = stateAt(g, now);
  const consumers = scenario.consumers.filter((c) => c.group === group).map((c) => c.node);
  for (const life of picture.lives) if (life.node < 0 && !scenario.consumers.some((c) => c.node === life.node)) {
    if (!consumers.includes(life.node)) consumers.push(life.node); // came by a later command
  }
  const lives = consumers.map((node) => ({node, life: lifeAt(picture, node, now)}));
  const lanes = picture.lanes.filter((l) => l.group === group);
  const joined = lastBefore(picture.events, now, (e) => e.kind === 'join-completed' && e.group === group);
  const reasons = why(picture, group, now, wait);
  return {
    now, group, wait, waited: wait ? waited(wait, reasons) : [],
    partition: scenario.groups.find((g) => g.id === group)?.partition ?? 0,
    state: state?.state ?? '', since: state?.from ?? 0, generation: state?.generation ?? 0,
    protocol: joined?.text ?? '', leader: memberNode(picture.events, joined?.member),
    coordinator: coordinatorAt(picture, group, now),
    members: lives.filter((c) => c.life !== 'absent' && c.life !== 'stopped').map((c) => c.node),
    parked: lives.filter((c) => c.life === 'parked').map((c) => c.node),
    reading: readingAt(lanes, now), lanes: lanes.length,
    why: reasons,
  };
}

/** Beside somebody who is dead or stuck, those who only have not rejoined yet do not count. */
function waited(wait: Wait, {fate, alike}: Why): Node[] {
  const alone = fate === 'killed' || fate === 'stopped' || fate === 'cut' || fate === 'stalled';
  return [wait.for, ...alone ? alike : wait.others].filter((n) => n !== 0);
}

function why(picture: Picture, group: string, now: number, wait: Wait | undefined): Why {
  const found: Why = {fate: 'unknown', at: 0, broker: 0, trigger: trigger(picture, group, now), extended: false, alike: []};
  if (!wait) return found;
  const last = (test: (e: EngineEvent) => boolean) => lastBefore(picture.events, now, test);
  if (wait.kind === 'initial-delay') {
    const e = last((e) => (e.kind === 'delay-extended' || e.kind === 'rebalance-began') && e.group === group);
    found.extended = e?.kind === 'delay-extended';
    found.at = e?.at ?? 0;
  } else if (wait.kind === 'coordinator') {
    // The one that is to serve the group: down, back but not registered, or loading.
    const e = last((e) => BROKER.has(e.kind) && (!wait.for || e.node === wait.for));
    if (e) Object.assign(found, {broker: e.node ?? 0, at: e.at, fate: e.kind === 'load-began' ? 'busy' : e.kind === 'broker-up' ? 'alive' : e.text === 'killed' ? 'killed' : 'stopped'});
    if (!wait.for && e?.kind !== 'broker-down') Object.assign(found, {broker: 0, fate: 'unknown'});
    // It is up and is to serve the group: it loads, or is about to.
    if (wait.for && !wait.config && e?.kind !== 'broker-down' && e?.kind !== 'broker-up') Object.assign(found, {broker: wait.for, fate: 'busy'});
    if (e?.kind === 'broker-down') found.back = startedAgain(picture, found.broker, e.at, now);
  } else if (wait.for < 0) {
    Object.assign(found, fate(picture, wait.for, now, wait));
    found.gone = wait.others.filter((n) => n < 0 && GONE.has(fate(picture, n, now, wait).fate));
    found.alike = wait.others.filter((n) => n < 0 && ((f) => f.fate === found.fate && f.at === found.at)(fate(picture, n, now, wait)));
  }
  return found;
}

/** What the one that is waited for does, or what was done to it. */
function fate(picture: Picture, node: Node, now: number, {config, due}: Pick<Wait, 'config' | 'due'>): Pick<Why, 'fate' | 'at'> {
  const mine = (kind: string) => lastBefore(picture.events, now, (e) => e.kind === kind && (e.node === node || e.peer === node));
  const started = mine('consumer-started')?.at ?? 0;
  const ended = mine('consumer-stopped'), cut = mine('link-cut'), healed = mine('link-healed'), stall = mine('stall-began');
  if (ended && ended.at >= started) return {fate: ended.text === 'killed' ? 'killed' : 'stopped', at: ended.at};
  // A restarted process has a new id; the old member is the one that is missing.
  if (ended && config === 'session.timeout.ms') return {fate: ended.text === 'killed' ? 'killed' : 'stopped', at: ended.at};
  if (cut && cut.at > (healed?.at ?? -1)) return {fate: 'cut', at: cut.at};
  if (stall && config === 'max.poll.interval.ms') return {fate: 'stalled', at: stall.at};
  if (stall && (stall.due ?? Infinity) > now) return {fate: 'stalled', at: stall.at};
  return {fate: config || due === null ? 'alive' : 'busy', at: 0};
}

/** The change of membership that the last rebalance began with. */
function trigger(picture: Picture, group: string, now: number): Why['trigger'] {
  const began = lastBefore(picture.events, now, (e) => e.kind === 'rebalance-began' && e.group === group);
  if (!began) return undefined;
  const e = lastBefore(picture.events, began.at, (e) => e.group === group && e.n < began.n && CHANGES.has(e.kind) && (e.kind !== 'request' || e.api === 'JoinGroup'));
  if (!e) return {node: 0, what: 'unknown', at: began.at};
  const node = memberNode(picture.events, e.member) || (e.peer && e.peer < 0 ? e.peer : e.node && e.node < 0 ? e.node : 0);
  const what = e.kind === 'member-added' ? 'joined' : e.kind === 'member-replaced' ? 'rejoined' : e.kind === 'request' ? 'rejoined' : e.config ? 'expired' : 'left';
  return {node, what, at: e.at};
}

function startedAgain(picture: Picture, broker: Node, from: number, to: number): number {
  const commands = picture.branches.find((b) => b.id === picture.branch)?.commands ?? [];
  return commands.findLast((c) => c.node === broker && !c.error && c.at >= from && c.at <= to && /(^|\s)start\s/.test(c.text))?.at ?? 0;
}

const GONE = new Set<Why['fate']>(['killed', 'stopped', 'cut']);
const BROKER = new Set(['broker-down', 'broker-up', 'load-began', 'load-ended']);
const CHANGES = new Set(['member-added', 'member-removed', 'member-replaced', 'request']);
