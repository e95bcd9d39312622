// Draws the ownership band. Everything that does not depend on the playhead is
// drawn once, solid and dashed; two clips decide which of the two one sees.

import {svg, type SVGTemplateResult} from 'lit';
import type {Hues} from '../identity.ts';
import type {Axis} from './axis.ts';
import type {Place} from './place.ts';
import {mostLag, type Row, type RowSpan} from './rows.ts';

export interface Band {
  rows: Row[];
  axis: Axis;
  place: Place;
  hues: Hues;
}

export const top = (band: Band, i: number) => band.place.lane.top + i * band.place.lane.pitch;

/** All marks of the rows, as they are (solid) or will be (ahead). */
export function laneMarks(band: Band, ahead: boolean): SVGTemplateResult[] {
  const most = mostLag(band.rows);
  return band.rows.map((row, i) => svg`<g>
    ${row.spans.map((s) => spanMark(band, s, top(band, i), ahead))}
    ${row.records.map((r) => recordMark(band, r, top(band, i)))}
    ${lagMark(band, row, top(band, i), most, ahead)}
    ${ahead ? null : commitMarks(band, row, top(band, i))}
  </g>`);
}

function spanMark({axis, place, hues}: Band, s: RowSpan, y: number, ahead: boolean): SVGTemplateResult {
  const x = axis.x(s.from), w = Math.max(1, axis.x(s.to) - x), h = place.lane.bar;
  if (s.state === 'nobody' || s.state === 'leaderless') return svg`<rect class="gap" x=${x} y=${y} width=${w} height=${h}/>`;
  const inset = Math.min(0.75, w / 4);
  const box = {x: x + inset, y: y + 0.75, w: Math.max(0.5, w - 2 * inset), h: h - 1.5};
  if (s.state === 'stuck') return svg`<g class=${hues.of(s.node)}><rect class="deadgap" x=${box.x} y=${box.y} width=${box.w} height=${box.h}/></g>`;
  return svg`<g class=${hues.of(s.node)}>
    <rect class=${ahead ? 'own ahead' : 'own'} x=${box.x} y=${box.y} width=${box.w} height=${box.h} rx=${Math.min(2, w / 3)}/>
    ${hues.striped(s.node) && !ahead ? svg`<rect class="striped" x=${box.x} y=${box.y} width=${box.w} height=${box.h}/>` : null}</g>`;
}

function recordMark({axis, place, hues}: Band, r: Row['records'][number], y: number): SVGTemplateResult {
  const x = axis.x(r.from);
  return svg`<g class=${hues.of(r.node)}><rect class="record" x=${x + 0.75} y=${y + place.lane.bar + 2}
    width=${Math.max(0.5, axis.x(r.to) - x - 1)} height=${place.lane.record}/></g>`;
}

function lagMark({axis, place}: Band, row: Row, y: number, most: number, ahead: boolean): SVGTemplateResult | null {
  if (place.lane.bar < 12) return null; // no room to tell one height from another
  let d = '', pen = false;
  const base = y + place.lane.bar - 1.5;
  for (const [t, n] of row.lag) {
    if (n < 0) {
      pen = false;
      continue;
    }
    d += `${pen ? 'L' : 'M'}${round(axis.x(t))} ${round(base - n / most * (place.lane.bar - 4))}`;
    pen = true;
  }
  return d ? svg`<path class=${ahead ? 'lag ahead' : 'lag'} d=${d}/>` : null;
}

function commitMarks({axis, place, hues}: Band, row: Row, y: number): SVGTemplateResult[] {
  if (place.lane.bar < 12) return [];
  const base = y + place.lane.bar - 1;
  return row.spans.filter((s) => s.state !== 'nobody').map((s) => {
    let d = '', last = -10;
    for (const t of row.commits) {
      if (t <= s.from || t > s.to) continue;
      const x = axis.x(t);
      if (x - last < 5) continue; // closer ticks would be a second line
      d += `M${round(x)} ${base}v-4`;
      last = x;
    }
    return d ? svg`<g class=${hues.of(s.node)}><path class="commit" d=${d}/></g>` : svg``;
  });
}

export const round = (n: number) => Math.round(n * 10) / 10;
