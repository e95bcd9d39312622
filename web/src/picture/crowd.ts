// More than forty members: no hues; rows are grouped by what their members do
// now, with counts, and those that are waited for are drawn in full.

import {svg, nothing, type SVGTemplateResult} from 'lit';
import {guard} from 'lit/directives/guard.js';
import type {LifeSpan, Node} from '../engine/types.ts';
import {memberNode} from '../engine/members.ts';
import {count} from '../format.ts';
import {groupOf, lifeAt} from '../run/look.ts';
import type {Run} from '../run/run.ts';
import {words} from '../words.ts';
import type {Axis} from './axis.ts';
import {button} from './button.ts';
import {toggle, type Gutter} from './gutter.ts';
import {round} from './lanes.ts';
import {wide} from './measure.ts';
import {cross} from './messages.ts';
import {dueLine, playhead, waitBar} from './now.ts';
import {GUTTER, RIGHT} from './place.ts';
import {ticks} from './axis.ts';
import {stateRow} from './state.ts';
import type {Built} from './pictured.ts';

interface Doing {
  key: string;
  members: Node[];
}

/** Who does what now; those waited for first. */
export function doings(b: Built, now: number): Doing[] {
  const groups = new Map<string, Node[]>();
  for (const node of b.consumers) {
    const life = lifeAt(b.picture, node, now);
    const key = life === 'dead' || life === 'stopped' ? 'silent' : life === 'parked' ? 'parked' : life === 'stalled' ? 'stalled' : life === 'absent' ? 'absent' : 'reads';
    groups.set(key, [...groups.get(key) ?? [], node]);
  }
  return ['reads', 'parked', 'stalled', 'silent', 'absent'].filter((k) => groups.has(k)).map((key) => ({key, members: groups.get(key)!}));
}

/** A row of an opened group: its name can be read. */
const NAMED = 18;

export function crowd(b: Built, g: Gutter, scroll: number, opened: ReadonlySet<string>, open: (key: string) => void): {body: SVGTemplateResult; height: number} {
  const {axis, place: p, picture} = b, {now, run} = g;
  const group = groupOf(picture, b.group), wait = run.wait;
  const waited = run.situation?.waited.filter((n) => n < 0) ?? [];
  const shown = waited.slice(0, 3);
  const stateY = 54 + Math.max(0, shown.length - 1) * 24 + (shown.length > 1 ? 8 : 0);
  const chart = stateY + 30, rowsTop = chart + 74;
  const groups = doings(b, now);
  const total = groups.reduce((sum, d) => sum + d.members.length, 0);
  const free = p.height - 42 - rowsTop - groups.length * 18;
  let y = rowsTop;
  const rows = groups.map((d) => {
    const named = opened.has(d.key) && d.members.length > FEW, head = named ? 24 : 0;
    const pitch = named ? NAMED : Math.max(0.8, Math.min(8, free * Math.max(0.06, d.members.length / total) / d.members.length));
    const top = y + head;
    y += head + Math.max(d.members.length > FEW && !named ? 46 : 22, pitch * d.members.length + 14);
    return {d, top, pitch, named, head};
  });
  const height = Math.max(p.height, y + 42), bottom = height - 42, legendY = height - 16;
  const nameAt = (node: Node, x: number, y: number, kind: string) => button(g, node, run.nameOf(node),
    svg`<rect class="hit" x=${x - 6} y=${y - 13} width=${wide(run.nameOf(node), 'bold') + 12} height="18" rx="3"/><text class=${kind} x=${x} y=${y}>${run.nameOf(node)}</text>`);
  const layout = rows.map((r) => `${r.top}/${r.pitch}/${r.d.members.join()}`).join(' ');
  const steps = readSteps(b);
  const flags = [axis.x(now), ...wait?.due && wait.due <= axis.end ? [axis.x(wait.due)] : []];
  const whole = (x: number, label: string) => x - wide(label) / 2 > scroll - 14 && x + wide(label) / 2 < scroll + p.plot + RIGHT && flags.every((f) => Math.abs(f - x) > 26 + wide(label) / 2);
  const body = svg`<text class="b" x="0" y="18">${words.stage.membersCount(b.consumers.length)}</text>
    ${shown.length ? svg`<text class="w" x="0" y="42">${words.picture.waitsFor('').trim()}</text>` : nothing}
    ${shown.map((n, i) => nameAt(n, 84, 42 + i * 24, 'b'))}
    <text class="s" x="0" y=${stateY + 14}>${words.picture.group}</text>
    <text class="s" x="0" y=${chart + 14}>${words.stage.partitionsRead}</text><text class="end q" x="120" y=${chart + 14}>${count(steps.lanes)}</text>
    <text class="q" x="0" y=${chart + 56}>${words.stage.of(steps.lanes)}</text><text class="end q" x="120" y=${chart + 56}>0</text>
    ${rows.map(({d, top, named, head, pitch}) => svg`<text x="0" y=${top + 8 - head}><tspan class="b">${count(d.members.length)}</tspan> ${words.stage.doing[d.key]}</text>
      ${d.members.length > FEW ? svg`${named ? nothing : svg`<text class="q" x="0" y=${top + 24}>${run.nameOf(d.members[0]!)} … ${run.nameOf(d.members[d.members.length - 1]!)}</text>`}
        ${toggle(named ? words.stage.foldUp : words.stage.expand, named, named ? 76 : 0, named ? top + 8 - head : top + 40, () => open(d.key))}`
        : svg`<text class="q" x="64" y=${top + 8}>${names(run, d.members)}</text>`}
      ${named ? d.members.map((n, i) => nameAt(n, 14, top + i * pitch + 9, 's')) : nothing}`)}
    <g clip-path="url(#plot)"><g transform="translate(${round(GUTTER - scroll)} 0)">
      <defs><clipPath id="past"><rect x="-20" y="0" width=${Math.max(0, axis.x(now) + 20)} height=${height}/></clipPath>
        <clipPath id="ahead"><rect x=${axis.x(now)} y="0" width=${Math.max(0, axis.width - axis.x(now) + 1)} height=${height}/></clipPath></defs>
      ${ticks(axis).map((t) => svg`<path class="tick" d="M${round(t.x)} 24V${bottom}"/>${whole(t.x, t.label) ? svg`<text class="mid q" x=${round(t.x)} y="18">${t.label}</text>` : nothing}`)}
      ${shown.map((_, i) => waitBar(axis, wait, now, 30 + i * 24, scroll, p.plot))}
      ${stateRow(axis, group, now, stateY, scroll, p.plot)}
      <g clip-path="url(#past)">${guard([b, chart], () => readers(b, steps, chart, false))}${guard([b, layout], () => rows.map(({d, top, pitch}) => lines(b, d.members, top, pitch)))}</g>
      <g class="ahead-g" clip-path="url(#ahead)">${guard([b, chart], () => readers(b, steps, chart, true))}${guard([b, layout], () => rows.map(({d, top, pitch}) => lines(b, d.members, top, pitch)))}</g>
      ${axis.folds.map((f) => svg`<rect class="cover" x=${round(axis.x(f.from) + 4)} y="26" width="12" height=${bottom - 26}/><path class="axis" stroke-dasharray="1 3" d="M${round(axis.x(f.from) + 4)} 26V${bottom}m12 0V26"/>
        ${[axis.x(now), wait?.due ? axis.x(wait.due) : -99].some((x) => Math.abs(x - axis.x(f.from)) < 60) ? nothing : svg`<text class="mid q halo" x=${round((axis.x(f.from) + axis.x(f.to)) / 2)} y="18">${words.picture.fold(f.to - f.from)}</text>`}`)}
      ${dueLine(axis, wait, now, bottom)}
    </g></g>${playhead(GUTTER + axis.x(now) - scroll, now, bottom)}
    ${crowdLegend(p.width - RIGHT, legendY)}`;
  return {body, height};
}

/** So few are named beside their number. */
const FEW = 3;

function names(run: Run, nodes: Node[]): string {
  const text = nodes.map((n) => run.nameOf(n)).join(', ');
  return wide(text) > 68 ? `${run.nameOf(nodes[0]!)} …` : text;
}

interface Steps {
  lanes: number;
  at: [number, number][];
}

const known = new WeakMap<Built, Steps>();

function readSteps(b: Built): Steps {
  let found = known.get(b);
  if (!found) {
    const changes = new Map<number, number>(), lanes = b.picture.lanes.filter((l) => l.group === b.group);
    for (const lane of lanes) for (const s of lane.spans) if (s.state === 'reads') {
      changes.set(s.from, (changes.get(s.from) ?? 0) + 1);
      changes.set(s.to, (changes.get(s.to) ?? 0) - 1);
    }
    known.set(b, found = {lanes: lanes.length, at: [...changes].sort((a, c) => a[0] - c[0])});
  }
  return found;
}

/** How many partitions are read, over time. */
function readers({axis}: Built, steps: Steps, y: number, ahead: boolean): SVGTemplateResult {
  const height = (n: number) => round(y + 56 - 52 * n / Math.max(1, steps.lanes));
  let n = 0, d = `M0 ${height(0)}`;
  for (const [t, change] of steps.at) d += `H${round(axis.x(t))}V${height(n += change)}`;
  d += `H${round(axis.width)}`;
  return ahead ? svg`<path class="areal ahead" d=${d}/>` : svg`<path class="area" d="${d}V${y + 56}H0Z"/><path class="areal" d=${d}/><path class="axis" d="M0 ${y + 56}H${round(axis.width)}"/>`;
}

/** One line a member: reading is solid, parked is thin, dead is a wash. */
function lines(b: Built, members: Node[], top: number, pitch: number): SVGTemplateResult[] {
  const tall = Math.min(8, Math.max(0.6, pitch * 0.62));
  const reads = new Map<Node, [number, number][]>();
  for (const lane of b.picture.lanes) for (const s of lane.spans) if (s.state === 'reads') reads.set(s.reader, [...reads.get(s.reader) ?? [], [s.from, s.to]]);
  return members.map((node, i) => {
    const y = top + i * pitch;
    return svg`${(b.lives.get(node) ?? []).map((s) => lifeLine(b, s, y, tall))}${join(reads.get(node) ?? []).map(([from, to]) => bar(b.axis, from, to, y, tall))}`;
  });
}

function bar(axis: Axis, from: number, to: number, y: number, tall: number): SVGTemplateResult {
  return svg`<rect class="bc" x=${round(axis.x(from))} y=${round(y)} width=${round(axis.x(to) - axis.x(from))} height=${round(tall)}/>`;
}

function lifeLine({axis, picture}: Built, s: LifeSpan, y: number, tall: number): SVGTemplateResult | typeof nothing {
  // A dead one is a member until it expires.
  const gone = s.state === 'dead' ? picture.events.find((e) => e.kind === 'member-removed' && e.at >= s.from && memberNode(picture.events, e.member) === s.node)?.at : undefined;
  const x0 = axis.x(s.from), x1 = axis.x(Math.min(s.to, gone ?? s.to));
  if (s.state === 'parked') return svg`<path class="bcl" d="M${round(x0)} ${round(y + tall / 2)}H${round(x1)}"/>`;
  if (s.state === 'dead' || s.state === 'stalled') return svg`<rect class="deadq" x=${round(x0)} y=${round(y)} width=${round(x1 - x0)} height=${Math.max(2, round(tall))}/>${tall > 2 ? cross(x0, y + tall / 2) : nothing}`;
  return nothing;
}

function join(spans: [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    const last = out[out.length - 1];
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

function crowdLegend(width: number, y: number): SVGTemplateResult {
  const marks: [(x: number) => SVGTemplateResult, string][] = [
    [(x) => svg`<rect class="bc" x=${x} y=${y - 5} width="20" height="10"/>`, words.legend.reads], [(x) => svg`<path class="bcl" d="M${x} ${y}h20"/>`, words.legend.parked],
    [(x) => svg`<rect class="deadq" x=${x} y=${y - 4.5} width="20" height="9"/>`, words.legend.dead], [(x) => cross(x + 10, y), words.legend.killed],
  ];
  let x = 0;
  const out: SVGTemplateResult[] = [];
  for (const [mark, label] of marks) {
    if (x + 26 + wide(label) > width) break;
    out.push(svg`${mark(x)}<text class="s" x=${x + 26} y=${y + 4}>${label}</text>`);
    x = Math.round(x + 26 + wide(label) + 20);
  }
  return svg`${out}${x + wide(words.stage.crowd) < width ? svg`<text class="end q" x=${width} y=${y + 4}>${words.stage.crowd}</text>` : nothing}`;
}
