// The row that says what the group is.

import {svg, nothing, type SVGTemplateResult} from 'lit';
import type {GroupPicture} from '../engine/types.ts';
import {words} from '../words.ts';
import type {Axis} from './axis.ts';
import {round} from './lanes.ts';
import {wide as measure} from './measure.ts';
import {labelX} from './now.ts';

/** Stable is open, a rebalance is grey, now is ink, what comes is dashed. */
export function stateRow(axis: Axis, group: GroupPicture | undefined, now: number, y: number, from: number, plot = Infinity): SVGTemplateResult[] {
  const out: SVGTemplateResult[] = [];
  const nowX = axis.x(now);
  for (const s of group?.states ?? []) {
    const x0 = axis.x(s.from), x1 = axis.x(s.to);
    if (!s.state || x1 < from) continue;
    const current = s.from <= now && now < s.to;
    const box = (a: number, b: number, kind: string) => b - a < 1 ? svg`<rect class="state ${kind}" x=${round(a)} y=${y + 0.5} width="0.5" height="19"/>`
      : svg`<rect class="state ${kind}" x=${round(a) + 0.5} y=${y + 0.5} width=${round(b - a - 1)} height="19" rx="2"/>`;
    const label = words.picture.state(s.state, s.generation);
    const text = (a: number, b: number, kind: string) => {
      const ink = kind.includes('b') ? 'bold' : 'text', at = labelX(axis, Math.max(a, from) + 8, measure(label, ink));
      const room = Math.min(b, from + plot) - at - 5;
      const short = measure(label, ink) < room ? label : measure(s.state, ink) < room ? s.state : '';
      return short ? svg`<text class=${kind} x=${round(at)} y=${y + 14}>${short}</text>` : nothing;
    };
    if (s.to <= now) out.push(box(x0, x1, s.state === 'Stable' || s.state === 'Empty' ? '' : 'prep'), svg`${text(x0, x1, 's')}`);
    else if (!current) out.push(svg`<g class="ahead-g">${box(x0, x1, 'ahead')}${text(x0, x1, '')}</g>`);
    else {
      if (nowX - x0 > 1) out.push(box(x0, nowX, 'now'));
      out.push(svg`<g class="ahead-g">${box(nowX, x1, 'ahead')}</g>`);
      const inside = text(x0, nowX, 'inv b');
      if (inside === nothing) out.push(svg`${text(nowX, x1, 'b')}`);
      else out.push(svg`${inside}`);
    }
  }
  return out;
}
