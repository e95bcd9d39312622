// More than forty members: no hues; rows are grouped by what their members do
// now, with counts, and those that are waited for are drawn in full.

import {svg, nothing, type SVGTemplateResult} from 'lit';
import type {LifeSpan, Node} from '../engine/types.ts';
import {memberNode} from '../engine/members.ts';
import {count} from '../format.ts';
import {groupOf, lifeAt} from '../run/look.ts';
import type {Run} from '../run/run.ts';
import {words} from '../words.ts';
import type {Axis} from './axis.ts';
import {round} from './lanes.ts';
import {cross} from './messages.ts';
import {dueLine, playhead, stateRow, waitBar} from './now.ts';
import {GUTTER, RIGHT} from './place.ts';
import {ticks} from './axis.ts';
import type {Built} from './stage.ts';

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

export function crowd(b: Built, run: Run, scroll: number): SVGTemplateResult {
  const {axis, place: p, picture} = b, {now} = run;
  const group = groupOf(picture, b.group), wait = run.wait;
  const waited = run.situation?.waited.filter((n) => n < 0) ?? [];
  const shown = waited.slice(0, 3), bottom = p.height - 42, legendY = p.height - 16;
  const stateY = 54 + Math.max(0, shown.length - 1) * 24 + (shown.length > 1 ? 8 : 0);
  const chart = stateY + 30, rowsTop = chart + 74;
  const groups = doings(b, now);
  const total = groups.reduce((sum, g) => sum + g.members.length, 0);
  const free = bottom - rowsTop - groups.length * 18;
  let y = rowsTop;
  const rows = groups.map((g) => {
    const pitch = Math.max(0.8, Math.min(8, free * Math.max(0.06, g.members.length / total) / g.members.length));
    const top = y;
    y += Math.max(22, pitch * g.members.length + 14);
    return {g, top, pitch};
  });
  return svg`<text class="b" x="0" y="18">${words.picture.membersCount(b.consumers.length)}</text>
    ${shown.length ? svg`<text class="w" x="0" y="42">${words.picture.waitsFor('').trim()}</text>` : nothing}
    ${shown.map((n, i) => svg`<text class="b" x="84" y=${42 + i * 24}>${run.nameOf(n)}</text>`)}
    <text class="s" x="0" y=${stateY + 14}>${words.picture.group}</text>
    <text class="s" x="0" y=${chart + 14}>${words.picture.partitionsRead}</text><text class="end q" x="120" y=${chart + 14}>${b.rows.length}</text>
    <text class="q" x="0" y=${chart + 56}>${words.picture.of(picture.lanes.filter((l) => l.group === b.group).length)}</text><text class="end q" x="120" y=${chart + 56}>0</text>
    ${rows.map(({g, top}) => svg`<text x="0" y=${top + 8}><tspan class="b">${count(g.members.length)}</tspan> ${words.picture.doing[g.key]}</text>
      <text class="q" x="0" y=${top + 24}>${g.members.length > 12 ? `${run.nameOf(g.members[0]!)} … ${run.nameOf(g.members[g.members.length - 1]!)}` : nothing}</text>
      ${g.members.length <= 12 ? svg`<text class="q" x="64" y=${top + 8}>${names(run, g.members)}</text>` : nothing}`)}
    <g clip-path="url(#plot)"><g transform="translate(${round(GUTTER - scroll)} 0)">
      ${ticks(axis).map((t) => svg`<path class="tick" d="M${round(t.x)} 24V${bottom}"/><text class="mid q" x=${round(t.x)} y="18">${t.label}</text>`)}
      ${shown.map((n, i) => waitBar(axis, wait, now, 30 + i * 24, scroll))}
      ${stateRow(axis, group, now, stateY, scroll)}
      ${readers(b, now, chart)}
      ${rows.map(({g, top, pitch}) => lines(b, g.members, top, pitch, now))}
      ${axis.folds.map((f) => svg`<rect class="cover" x=${round(axis.x(f.from) + 4)} y="26" width="12" height=${bottom - 26}/><path class="axis" stroke-dasharray="1 3" d="M${round(axis.x(f.from) + 4)} 26V${bottom}m12 0V26"/>
        ${[axis.x(now), wait?.due ? axis.x(wait.due) : -99].some((x) => Math.abs(x - axis.x(f.from)) < 60) ? nothing : svg`<text class="mid q halo" x=${round((axis.x(f.from) + axis.x(f.to)) / 2)} y="18">${words.picture.fold(f.to - f.from)}</text>`}`)}
      ${dueLine(axis, wait, now, bottom)}
    </g></g>${playhead(GUTTER + axis.x(now) - scroll, now, bottom)}
    ${crowdLegend(p.width - RIGHT, legendY)}`;
}

function names(run: Run, nodes: Node[]): string {
  const text = nodes.map((n) => run.nameOf(n)).join(', ');
  return text.length > 9 ? `${run.nameOf(nodes[0]!)} …` : text;
}

/** How many partitions are read, over time. */
function readers(b: Built, now: number, y: number): SVGTemplateResult {
  const {axis} = b, steps = new Map<number, number>();
  const lanes = b.picture.lanes.filter((l) => l.group === b.group);
  for (const lane of lanes) for (const s of lane.spans) if (s.state === 'reads') {
    steps.set(s.from, (steps.get(s.from) ?? 0) + 1);
    steps.set(s.to, (steps.get(s.to) ?? 0) - 1);
  }
  const line = (from: number, to: number) => {
    let n = 0, d = '', open = false;
    for (const [t, change] of [...steps].sort((a, c) => a[0] - c[0])) {
      if (t > to) break;
      const before = n;
      n += change;
      if (t < from) continue;
      if (!open) d += `M${round(axis.x(from))} ${height(before)}`;
      open = true;
      d += `H${round(axis.x(t))}V${height(n)}`;
    }
    return `${open ? d : `M${round(axis.x(from))} ${height(n)}`}H${round(axis.x(to))}`;
  };
  const height = (n: number) => round(y + 56 - 52 * n / Math.max(1, lanes.length));
  const past = line(0, now);
  return svg`<path class="area" d="${past}V${y + 56}H0Z"/><path class="areal" d=${past}/><path class="axis" d="M0 ${y + 56}H${round(axis.width)}"/><g class="ahead-g"><path class="areal ahead" d=${line(now, b.picture.end)}/></g>`;
}

/** One line a member: reading is solid, parked is thin, dead is a wash. */
function lines(b: Built, members: Node[], top: number, pitch: number, now: number): SVGTemplateResult[] {
  const tall = Math.max(0.6, pitch * 0.62);
  const reads = new Map<Node, [number, number][]>();
  for (const lane of b.picture.lanes) for (const s of lane.spans) if (s.state === 'reads') reads.set(s.reader, [...reads.get(s.reader) ?? [], [s.from, s.to]]);
  return members.map((node, i) => {
    const y = top + i * pitch;
    const spans = join(reads.get(node) ?? []);
    return svg`${(b.lives.get(node) ?? []).map((s) => lifeLine(b, s, y, tall, now))}
      ${spans.map(([from, to]) => svg`${from < now ? bar(b.axis, from, Math.min(to, now), y, tall, '') : nothing}${to > now ? bar(b.axis, Math.max(from, now), to, y, tall, ' ahead-g') : nothing}`)}`;
  });
}

function bar(axis: Axis, from: number, to: number, y: number, tall: number, kind: string): SVGTemplateResult {
  return svg`<rect class="bc${kind}" x=${round(axis.x(from))} y=${round(y)} width=${round(axis.x(to) - axis.x(from))} height=${round(tall)}/>`;
}

function lifeLine({axis, picture}: Built, s: LifeSpan, y: number, tall: number, now: number): SVGTemplateResult | typeof nothing {
  // A dead one is a member until it expires.
  const gone = s.state === 'dead' ? picture.events.find((e) => e.kind === 'member-removed' && e.at >= s.from && memberNode(picture.events, e.member) === s.node)?.at : undefined;
  const x0 = axis.x(s.from), x1 = axis.x(Math.min(s.to, gone ?? s.to));
  if (s.state === 'parked') return svg`<path class="bcl${s.from > now ? ' ahead-g' : ''}" d="M${round(x0)} ${round(y + tall / 2)}H${round(x1)}"/>`;
  if (s.state === 'dead' || s.state === 'stalled') return svg`<rect class="deadq" x=${round(x0)} y=${round(y)} width=${round(x1 - x0)} height=${Math.max(2, round(tall))}/>${s.from <= now && tall > 2 ? cross(x0, y + tall / 2) : nothing}`;
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
  return svg`<rect class="bc" x="0" y=${y - 5} width="20" height="10"/><text class="s" x="26" y=${y + 4}>${words.legend.reads}</text>
    <path class="bcl" d="M80 ${y}h20"/><text class="s" x="106" y=${y + 4}>${words.legend.parked}</text>
    <rect class="deadq" x="240" y=${y - 4.5} width="20" height="9"/><text class="s" x="266" y=${y + 4}>${words.legend.dead}</text>
    ${cross(415, y)}<text class="s" x="428" y=${y + 4}>${words.legend.killed}</text>
    <text class="end q" x=${width} y=${y + 4}>${words.picture.crowd}</text>`;
}
