// Time that runs down. Causal spacing gives each arrow a step of its own and
// each idle stretch a gap that grows slower than the time in it; clock spacing
// is the axis of the wide picture. Pure.

import type {EngineEvent, GroupPicture, Node, Picture} from '../engine/types.ts';
import {SECOND} from '../format.ts';
import {Axis, chooseFolds, idle, ticks} from './axis.ts';
import {ARROW, bursts, messagesOf, type Burst, type Message} from './exchange.ts';
import type {Row} from './rows.ts';

/** A step between two arrows of one moment. */
const STEP = 8;
/** Longer than this, nothing happened: a gap that says how long. */
const GAP = 1.2 * SECOND;

export interface Down {
  axis: Axis;
  bursts: Burst[];
  slots: Map<Message, number>;
  /** Idle stretches, between the moments around them. */
  gaps: {from: number; to: number}[];
  /** Times that get a label. */
  labels: number[];
}

/** What of a group stands in the columns. */
export interface Told {
  picture: Picture;
  group: GroupPicture | undefined;
  rows: readonly Row[];
  brokers: readonly Node[];
  consumers: readonly Node[];
}

export function downAxis(told: Told, room: number, causal: boolean): Down {
  const messages = messagesOf(told.picture.events, told.consumers).filter((m) => told.brokers.includes(m.broker));
  return causal ? causalDown(told, messages, room) : clockDown(told, messages, room);
}

function clockDown({picture, group}: Told, messages: Message[], room: number): Down {
  const mine = (e: EngineEvent) => !e.group || e.group === group?.id;
  const axis = Axis.clock(picture.end, room, chooseFolds(picture.end, room, idle(picture.end, picture.events.filter(mine), group), group?.waits));
  const all = bursts(messages, axis), slots = new Map<Message, number>();
  for (const b of all) b.arrows.forEach((m, i) => slots.set(m, axis.x(b.at) + b.fan + i * ARROW));
  return {axis, bursts: all, slots, gaps: axis.folds, labels: ticks(axis).map((t) => t.t)};
}

function causalDown(told: Told, messages: Message[], room: number): Down {
  const {picture: {end}} = told;
  // Six pixels a second: what one consumer says within a second is one burst of at most three arrows.
  const all = bursts(messages, Axis.points([0, Math.max(1, end)], [0, end / SECOND * 6], false));
  const arrows = all.flatMap((b) => b.arrows).sort((a, b) => a.from - b.from || a.n - b.n);
  const times = [...new Set([0, ...moments(told), ...arrows.map((m) => m.from), Math.max(1, end)])].sort((a, b) => a - b);
  const heights = gapHeights(times, told.group, arrows, room);
  const slots = new Map<Message, number>(), ys: number[] = [];
  let y = 0, next = 0;
  times.forEach((t, i) => {
    y += heights[i]!;
    // Several arrows of one time follow each other; the time itself is after them.
    for (let first = true; next < arrows.length && arrows[next]!.from === t; next++, first = false) slots.set(arrows[next]!, first ? y : (y += STEP));
    ys.push(y);
  });
  const gaps = times.slice(1).map((to, i) => ({from: times[i]!, to})).filter((g) => g.to - g.from >= GAP);
  return {axis: Axis.points(times, ys, true), bursts: all, slots, gaps, labels: times.filter((t, i) => i === 0 || t - times[i - 1]! >= GAP)};
}

/** When something changes besides the arrows: owners, lives, waits. */
function moments({picture, group, rows, consumers}: Told): number[] {
  const end = picture.end, mine = new Set(consumers);
  const spans = rows.flatMap((row) => row.spans.map((s) => s.from));
  const lives = picture.lives.filter((l) => mine.has(l.node) && (l.state === 'dead' || l.state === 'stopped' || l.state === 'stalled')).map((l) => l.from);
  const waits = (group?.waits ?? []).filter((w) => w.kind !== 'none' && w.to - w.from >= SECOND).flatMap((w) => [w.since, w.due ?? w.to]);
  return [...spans, ...lives, ...waits].filter((t) => t > 0 && t < end);
}

/** The room before each time. Gaps take what is left over, and give what is missing while they can be read. */
function gapHeights(times: readonly number[], group: GroupPicture | undefined, arrows: readonly Message[], room: number): number[] {
  const waits = (group?.waits ?? []).filter((w) => w.kind !== 'none');
  const wishes = times.map((t, i) => {
    const from = times[i - 1] ?? t, gap = (t - from) / SECOND;
    if (t - from < GAP) return {least: i ? t - from < 1000 ? 4 : STEP : 0, wish: 0};
    // The wait is the lesson.
    const waited = waits.some((w) => w.from < t && w.to > from);
    return waited ? {least: 36 + Math.min(28, gap), wish: Math.min(150, 36 + 4 * gap)} : {least: 24, wish: Math.min(60, 26 + 5 * Math.sqrt(gap))};
  });
  const firsts = new Set(arrows.map((m) => m.from)).size;
  const free = room - (arrows.length - firsts) * STEP - wishes.reduce((sum, w) => sum + w.least, 0);
  const wanted = wishes.reduce((sum, w) => sum + Math.max(0, w.wish - w.least), 0), part = wanted ? Math.max(0, free / wanted) : 0;
  return wishes.map((w) => w.least + Math.max(0, w.wish - w.least) * part);
}
