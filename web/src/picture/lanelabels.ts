// The words of the ownership band.

import {svg, type SVGTemplateResult} from 'lit';
import type {Node} from '../engine/types.ts';
import {words} from '../words.ts';
import type {Axis} from './axis.ts';
import {top, type Band} from './lanes.ts';
import {wide} from './measure.ts';

/** Names in the bars, and what a gap means; `from` is the left edge that one sees. */
export function laneLabels(band: Band, from: number, now: number, isDead: (node: Node, t: number) => boolean): SVGTemplateResult[] {
  const {axis, place} = band;
  const out: SVGTemplateResult[] = [];
  const nowX = axis.x(now);
  band.rows.forEach((row, i) => {
    const y = top(band, i) + place.lane.bar / 2 + 4;
    if (place.lane.bar < 10) return;
    for (const s of row.spans) {
      const x0 = axis.x(s.from), x1 = axis.x(s.to);
      if (x1 < from) continue;
      const x = clearOfFolds(axis, Math.max(x0, from), wide(s.label || words.lane.nobody, s.label ? 'bold' : 'text'));
      const future = x > nowX;
      if (s.state === 'reads') {
        const label = fit(s.label, x1 - x - 10, 'bold');
        if (label) out.push(svg`<text class=${future ? 'b halo' : 'b'} x=${x + 6.5} y=${y} opacity=${future ? 'var(--future)' : 1}>${label}</text>`);
        continue;
      }
      const above = band.rows[i - 1]?.spans.find((o) => o.from === s.from && o.to === s.to && o.state === s.state && o.node === s.node);
      if (future || above || s.from === 0) continue;
      const room = Math.max(0, x1 - x - 14);
      const why = s.state === 'stuck' ? words.lane.stuck(isDead(s.node, s.from)) : s.state === 'leaderless' ? words.lane.leaderless : '';
      const label = (why && fit(why, room)) || fit(words.lane.nobody, room);
      if (label) out.push(svg`<text class="halo" x=${x + 7} y=${y}>${label}</text>`);
    }
  });
  return out;
}

/** Moves a label to the right of a fold that would cover it. */
function clearOfFolds(axis: Axis, x: number, wide: number): number {
  for (const f of axis.folds) {
    const a = axis.x(f.from), b = axis.x(f.to);
    if (x + 8 + wide > a && x < b) return b - 4;
  }
  return x;
}

/** The label if it has room, else nothing: a name is never cut. */
function fit(label: string, room: number, ink: 'text' | 'bold' = 'text'): string {
  return wide(label, ink) <= room ? label : '';
}
