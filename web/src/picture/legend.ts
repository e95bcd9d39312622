// The legend is part of the picture: what each mark means, in the order in
// which one meets them.

import {svg, type SVGTemplateResult} from 'lit';
import {words} from '../words.ts';
import {wide as measure} from './measure.ts';

type Item = [wide: number, mark: (x: number, y: number) => SVGTemplateResult, label: string, gap?: number];

const all: Item[] = [
  [20, (x, y) => svg`<g class="m1"><rect class="own" x=${x} y=${y - 7} width="20" height="13" rx="2"/></g>`, words.legend.reads],
  [20, (x, y) => svg`<rect class="gap" x=${x} y=${y - 7} width="20" height="13"/>`, words.legend.revoked],
  [20, (x, y) => svg`<g class="m2"><rect class="deadgap" x=${x} y=${y - 7} width="20" height="13"/></g>`, words.legend.stuck],
  [20, (x, y) => svg`<g class="m3"><rect class="record" x=${x} y=${y - 2} width="20" height="3"/></g>`, words.legend.record],
  [20, (x, y) => svg`<path class="lag" d="M${x} ${y + 5}l20 -10"/>`, words.legend.lag],
  [12, (x, y) => svg`<g class="m1"><path class="commit" d="M${x} ${y + 4}v-6m6 6v-6m6 6v-6"/></g>`, words.legend.commit],
  [20, (x, y) => svg`<path class="req" d="M${x} ${y}h20"/>`, words.legend.request],
  [20, (x, y) => svg`<path class="res" d="M${x} ${y}h20"/>`, words.legend.response],
  [12, (x, y) => svg`<path class="hb" d="M${x} ${y + 4}v-9m6 9v-9m6 9v-9"/>`, words.legend.heartbeat],
  [16, (x, y) => svg`<g transform="translate(${x + 7} ${y})"><circle class="glyph" r="7"/><path class="stroke" d="M2.9 -1.8A3.4 3.4 0 1 0 3.3 1.2M3.4 -3.6V-1.4H1.2"/></g>`, words.legend.rejoin],
  [16, (x, y) => svg`<circle class="glyph" cx=${x + 8} cy=${y} r="7"/><text class="mid" x=${x + 8} y=${y + 4}>5</text>`, words.legend.folded],
];

/** As many items as have room; the rest is in the help. */
export function legend(width: number, y: number, which: 'both' | 'ownership' | 'messages' = 'both', beats = true): SVGTemplateResult[] {
  const items = (which === 'both' ? all : which === 'ownership' ? all.slice(0, 6) : all.slice(6)).filter((item) => beats || item[2] !== words.legend.heartbeat);
  const out: SVGTemplateResult[] = [];
  const total = items.reduce((sum, [wide, , label]) => sum + wide + 6 + measure(label), 0);
  const gap = Math.max(12, Math.min(20, (width - total) / items.length));
  let x = 1;
  for (const [wide, mark, label] of items) {
    if (x + wide + 6 + measure(label) > width) break;
    out.push(mark(x, y), svg`<text class="s" x=${x + wide + 6} y=${y + 4}>${label}</text>`);
    x += wide + 6 + measure(label) + gap;
  }
  return out;
}
