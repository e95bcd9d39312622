// The lanes of a card: the first six partitions, from the moment that somebody
// reads, and what was done under them.

import {svg, html, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {Node, Picture, Scenario} from '../engine/types.ts';
import {Hues} from '../identity.ts';
import {partitionRows, type RowSpan} from '../picture/rows.ts';

const WIDTH = 312;

export interface Mini {
  from: number;
  to: number;
  rows: (RowSpan & {hue: string})[][];
  commands: number[];
}

export function miniOf(picture: Picture, scenario: Scenario): Mini {
  const hues = new Hues(scenario.consumers);
  const group = scenario.groups.map((g) => g.id);
  // With two groups each shows the three partitions that tell most.
  const lanes = group.length > 1 ? group.slice(0, 2).flatMap((id) => [...picture.lanes].filter((l) => l.group === id).sort((a, b) => b.spans.length - a.spans.length || a.partition - b.partition).slice(0, 3).sort((a, b) => a.partition - b.partition)) : picture.lanes.slice(0, 6);
  const rows = partitionRows(lanes, (n: Node) => String(n)).map((r) => r.spans.map((s) => ({...s, hue: s.node ? hues.of(s.node) : ''})));
  const commands = [...new Set((picture.branches[0]?.commands ?? []).filter((c) => c.at > 0).map((c) => c.at))];
  const first = Math.min(...rows.map((spans) => spans.find((s) => s.state === 'reads')?.from ?? picture.end));
  // The wait before anybody reads is a story of its own; elsewhere it is skipped.
  const from = commands.length && commands[0]! > first ? first : 0;
  return {from: Math.max(0, from), to: picture.end, rows, commands};
}

export function mini(m: Mini): TemplateResult {
  const x = (t: number) => Math.round((t - m.from) / (m.to - m.from) * WIDTH * 10) / 10;
  return html`<svg viewBox="0 0 312 126" preserveAspectRatio="none">${m.rows.map((spans, i) => spans.filter((s) => s.to > m.from).map((s) => bar(s, x(Math.max(m.from, s.from)), x(s.to), 2 + i * 19)))}
    ${m.commands.map((t) => svg`<path class="mark" d="M${x(t)} 118l-4 7h8z"/>`)}</svg>`;
}

function bar(s: RowSpan & {hue: string}, x0: number, x1: number, y: number): SVGTemplateResult {
  const w = Math.max(1, x1 - x0);
  if (s.state === 'nobody' || s.state === 'leaderless') return svg`<rect class="gap" x=${x0} y=${y} width=${w} height="13"/>`;
  return svg`<g class=${s.hue}><rect class="${s.state === 'reads' ? 'own' : 'deadgap'} thin" x=${x0 + 0.6} y=${y + 0.6} width=${Math.max(0.6, w - 1.2)} height="11.8" vector-effect="non-scaling-stroke"/></g>`;
}
