// What stands behind the bands: grid, generations, labels of the axis, and the
// idle stretches that were folded.

import {nothing, svg, type SVGTemplateResult} from 'lit';
import {guard} from 'lit/directives/guard.js';
import {groupOf} from '../run/look.ts';
import {words} from '../words.ts';
import {ticks} from './axis.ts';
import {round} from './lanes.ts';
import {wide as measure} from './measure.ts';
import type {Built} from './pictured.ts';
import {RIGHT} from './place.ts';

/** Grid and generations. */
export function ground(b: Built): SVGTemplateResult {
  const {axis, place: p, picture} = b;
  const states = groupOf(picture, b.group)?.states ?? [];
  const bands: {from: number; to: number; generation: number}[] = [];
  for (const s of states) {
    const last = bands[bands.length - 1];
    if (last && last.generation === s.generation) last.to = s.to;
    else bands.push({from: s.from, to: s.to, generation: s.generation});
  }
  const top = p.lane.top - 4, tall = p.lanesEnd - 10 - top;
  return svg`${tall > 0 ? bands.filter((g) => g.generation % 2 === 1).map((g) => svg`<rect class="gen" x=${round(axis.x(g.from))} y=${top} width=${round(axis.x(g.to) - axis.x(g.from))} height=${tall}/>`) : nothing}
    ${ticks(axis).map((t) => svg`<path class="tick" d="M${round(t.x)} 24V${p.bottom}"/>`)}`;
}

/** Labels that would be cut at an edge, or peep out from under a flag, stay away. */
export function tickLabels(b: Built, marks: {x: number; label: string}[], scroll: number, now: number, due: number | null | undefined): unknown {
  const {axis, place: p} = b;
  const flags = [axis.x(now), ...due && due > now && due <= axis.end ? [axis.x(due)] : []];
  const shown = marks.filter((t) => {
    const half = measure(t.label) / 2;
    return t.x - half > scroll - 14 && t.x + half < scroll + p.plot + RIGHT && flags.every((f) => Math.abs(f - t.x) > 26 + half);
  });
  return guard([b, shown.map((t) => t.label).join()], () => shown.map((t) => svg`<text class="mid q" x=${round(t.x)} y="18">${t.label}</text>`));
}

export function folds({axis, place: p}: Built): SVGTemplateResult[] {
  return axis.folds.map((f) => {
    const a = axis.x(f.from) + 4, z = axis.x(f.to) - 4;
    return svg`<rect class="cover" x=${round(a)} y="26" width=${round(z - a)} height=${p.bottom - 24}/>
      <path class="axis" d="M${round(a)} 26V${p.bottom + 2}M${round(z)} 26V${p.bottom + 2}" stroke-dasharray="1 3"/>`;
  });
}

/** How much was left out; not where a flag stands. */
export function foldLabels({axis}: Built, now: number, due: number | null): SVGTemplateResult[] {
  const flags = [axis.x(now), ...due === null ? [] : [axis.x(due)]];
  return axis.folds.map((f) => {
    const x = (axis.x(f.from) + axis.x(f.to)) / 2;
    return flags.some((flag) => Math.abs(flag - x) < 50) ? svg`` : svg`<text class="mid q halo" x=${round(x)} y="18">${words.picture.fold(f.to - f.from)}</text>`;
  });
}
