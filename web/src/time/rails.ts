// One rail of the scrubber: what was done (triangles), how much happened
// (density), what expired (vermillion), how long partitions stood still.

import {nothing, svg, type SVGTemplateResult} from 'lit';
import type {Branch, EngineEvent, Node} from '../engine/types.ts';
import {wide} from '../picture/measure.ts';
import {commandText, words} from '../words.ts';

export const RAIL_LEFT = 136;
export const RAIL_RIGHT = 214;

export interface Rail {
  branch: Branch;
  index: number;
  current: boolean;
  x(t: number): number;
  width: number;
  y: number;
  parentY: number;
  events: readonly EngineEvent[];
  group: string;
  name(n: Node): string;
  member(id: string | undefined): Node;
  numbers: boolean;
  stopped: string;
  choose(): void;
}

export const railTop = (i: number) => 34 + i * 36;
/** Two rails have room from the start, so that the first branch moves nothing; low windows save it. */
export const railsHeight = (n: number, low: boolean) => (low ? 50 : 84) + Math.max(0, n - (low ? 1 : 2)) * 36;


export function rail(r: Rail): SVGTemplateResult {
  const {branch, y, x} = r, tone = r.current ? 'b' : 's';
  const start = branch.parent ? curve(x(branch.forkAt), r.parentY, y, x(branch.end)) : `M${x(0)} ${y}H${x(branch.end)}`;
  const label = labelOf(branch);
  return svg`<g class="branch" @click=${r.choose}>
    <text class=${tone} x="0" y=${y + 4}>${branch.id}</text><text class=${tone} x="14" y=${y + 4}>${short(label, 17)}<title>${label}</title></text></g>
    ${r.current ? density(r) : nothing}<path class="rail" d=${start}/>
    ${marks(r)}
    ${r.numbers && branch.played >= branch.end ? svg`<text class="end s" x=${r.width} y=${y + 4}><title>${words.transport.stoppedTitle}</title><tspan class="b">${r.stopped}</tspan> ${words.transport.stopped(Number(r.stopped))}</text>` : nothing}`;
}

/** What made the branch: an edit, its first command, and how many came after. */
function labelOf({label, parent, edited, commands}: Branch): string {
  if (!parent) return words.transport.asWritten;
  const more = commands.filter((c) => c.line === 0).length - 1;
  return [edited ? words.transport.edited : '', label ? commandText(label) : ''].filter(Boolean).join(', ') + (more > 0 ? words.transport.andMore(more) : '');
}

/** From the parent's rail down to its own. */
function curve(from: number, parentY: number, y: number, end: number): string {
  return `M${from} ${parentY}C${from + 8} ${y - 4} ${from + 4} ${y} ${from + 26} ${y}H${Math.max(from + 26, end)}`;
}

function short(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** How much happened: one bar a bucket, tall where much. */
function density({events, x, y, width}: Rail): SVGTemplateResult[] {
  const buckets = new Map<number, number>();
  const size = 7;
  for (const e of events) {
    const b = Math.floor((x(e.at) - RAIL_LEFT) / size);
    buckets.set(b, (buckets.get(b) ?? 0) + 1);
  }
  const most = Math.max(1, ...buckets.values());
  return [...buckets].filter(([b]) => RAIL_LEFT + b * size < width).map(([b, n]) => {
    const tall = Math.round((2 + 12 * Math.sqrt(n / most)) * 10) / 10;
    return svg`<rect class="dens" x=${RAIL_LEFT + b * size} y=${y - 4 - tall} width="5" height=${tall}/>`;
  });
}

export interface Mark {
  at: number;
  label: string;
  title: string;
  expiry: boolean;
  error: boolean;
}

type Told = Pick<Rail, 'branch' | 'events' | 'group' | 'name' | 'member'>;

/** What people did, and members that a timer removed, in order of time. */
export function deeds({branch, events, group, name, member}: Told): Mark[] {
  const all: Mark[] = branch.commands.filter((c) => c.at > 0 || c.line === 0).map((c) => (
    {at: c.at, label: short(commandText(c.text).replace(/ group=.*| topics=.*/, ''), 28), title: c.error ? `${c.text}: ${c.error}` : c.text, expiry: false, error: Boolean(c.error)}));
  for (const e of events) {
    const who = e.kind === 'member-removed' && e.config && e.group === group ? member(e.member) : 0;
    if (who && all.length < 60) all.push({at: e.at, label: words.time.expires(name(who)), title: e.config!, expiry: true, error: false});
  }
  return all.sort((a, b) => a.at - b.at);
}

/** Labels stand only where they have room. */
function marks(r: Rail): SVGTemplateResult[] {
  const {x, y, current, width} = r, all = deeds({...r, events: current ? r.events : []});
  return all.map((m, i) => {
    const at = x(m.at), next = all[i + 1] ? x(all[i + 1]!.at) : width;
    // The label may reach to the next mark; the one under the pointer says the rest.
    const room = current && Math.min(next, width) - at - 18 > wide(m.label, m.expiry ? 'bold' : 'text');
    const mark = m.expiry ? svg`<path class="loss thin-loss" d="M${at} ${y - 6}v12"/>`
      : svg`<path class="mark${current ? '' : ' dim'}" d=${current ? `M${at} ${y - 5}l-5 -8h10z` : `M${at} ${y - 4}l-4 -7h8z`}><title>${m.title}</title></path>`;
    return svg`${mark}${room ? svg`<text class=${m.expiry || m.error ? 'w halo' : 'halo'} x=${at + 8} y=${y - 14}>${m.label}</text>` : nothing}`;
  });
}
