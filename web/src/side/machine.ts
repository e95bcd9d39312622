// The group's state machine: always the same places; now is ink, the last way
// in is thick, the ways on are dashed.

import {html, nothing, svg, type TemplateResult} from 'lit';
import type {EngineEvent, GroupState, Picture, Wait} from '../engine/types.ts';
import {memberNode} from '../engine/members.ts';
import {lastBefore} from '../run/look.ts';
import {words} from '../words.ts';

type Box = {x: number; y: number; w: number};

const BOXES: Record<Exclude<GroupState, ''>, Box> = {
  Empty: {x: 0.5, y: 0.5, w: 83}, PreparingRebalance: {x: 148.5, y: 0.5, w: 147},
  Stable: {x: 0.5, y: 64.5, w: 83}, CompletingRebalance: {x: 148.5, y: 64.5, w: 147}, Dead: {x: 40.5, y: 112.5, w: 43},
};

/** Each way: its line and its head. */
const WAYS: Record<string, [line: string, head: string]> = {
  'Empty>PreparingRebalance': ['M84 9H142', 'M148 9l-7 -4v8z'],
  'PreparingRebalance>Empty': ['M148 19H90', 'M84 19l7 -4v8z'],
  'PreparingRebalance>CompletingRebalance': ['M206 28V58', 'M206 64l-4 -7h8z'],
  'CompletingRebalance>PreparingRebalance': ['M238 64V34', 'M238 28l-4 7h8z'],
  'CompletingRebalance>Stable': ['M148 78H90', 'M84 78l7 -4v8z'],
  'Stable>PreparingRebalance': ['M70 64L140 28', 'M148 24l-6 8l-4 -7z'],
};

export function machine(state: GroupState, picture: Picture, group: string, now: number, wait: Wait | undefined, waited: readonly number[], name: (n: number) => string): TemplateResult {
  const last = lastBefore(picture.events, now, (e) => e.kind === 'group-state' && e.group === group);
  const lastWay = last ? `${last.prev}>${last.state}` : '';
  const next = Object.keys(WAYS).filter((w) => w.startsWith(`${state}>`));
  const kind = (s: string) => s === state ? 'now' : next.some((w) => w.endsWith(`>${s}`) && !(state === 'PreparingRebalance' && s === 'Empty')) ? 'next' : '';
  const what = wait?.kind === 'coordinator' ? words.machine.nextLoad : wait?.for && wait.for < 0 && waited.length && waited.length <= 3 && state === 'PreparingRebalance' ? words.machine.nextWait(waited.map(name))
    : wait?.kind === 'initial-delay' && wait.due !== null ? words.machine.nextMore(wait.due) : words.machine.next[state] ?? '';
  return html`<svg class="machine" width="296" height="142" viewBox="0 -1 296 142" role="img" aria-label=${words.side.machine(state)}>
    ${Object.entries(WAYS).map(([way, [line, head]]) => way === lastWay ? svg`<path class="edge last" d=${line}/><path class="head" d=${head}/>`
      : next.includes(way) ? svg`<path class="edge can" d=${line}/><path class="head" d=${head}/>`
      : svg`<path class="edge" d=${line}/><path class="edge" d=${head.replace('z', '')}/>`)}
    ${Object.entries(BOXES).map(([s, b]) => svg`<rect class="node ${kind(s)}" x=${b.x} y=${b.y} width=${b.w} height="27" rx="3"/>
      <text class="mid ${s === state ? 'inv b' : kind(s) ? '' : 's'}" x=${b.x + b.w / 2} y=${b.y + 17.5}>${s}</text>`)}
    <text class="q" x="0" y="130">${words.side.any}</text>
    </svg><p class="ways">${last ? html`<span>${words.side.last}<b class="strong">${because(picture, last, name)}</b></span>` : nothing}
    <span>${words.side.next}${what}</span></p>`;
}

/** What made the last step: who joined, left or expired. */
function because(picture: Picture, step: EngineEvent, name: (n: number) => string): string {
  const m = words.machine;
  if (step.state === 'CompletingRebalance') return m.why(m.everyoneIn, step.at);
  if (step.state === 'Stable') return m.why(m.assigned, step.at);
  if (step.state === 'Empty') return m.why(m.lastLeft, step.at);
  const change = lastBefore(picture.events, step.at, (e) => e.n <= step.n + 3 && e.group === step.group && (e.kind === 'member-added' || e.kind === 'member-removed' || e.kind === 'member-replaced' || (e.kind === 'request' && e.api === 'JoinGroup')));
  const who = change && (memberNode(picture.events, change.member) || (change.peer ?? 0) < 0 && change.peer || (change.node ?? 0) < 0 && change.node);
  if (!change || !who) return m.why(m.began, step.at);
  const does = change.kind === 'member-added' ? m.joined : change.kind === 'member-removed' ? (change.config ? m.expired : m.left) : m.rejoined;
  return m.why(does(name(who)), step.at);
}
