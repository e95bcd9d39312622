// Causal spacing: every moment has the same room, and most a label.

import {svg, type SVGTemplateResult} from 'lit';
import {causalMoments} from './exchange.ts';
import {round} from './lanes.ts';
import {wide as measure} from './measure.ts';
import type {Built} from './pictured.ts';

const moments = ({picture, consumers}: Built) => [0, ...causalMoments(picture.events, consumers)];

export function causalTicks(b: Built): SVGTemplateResult {
  return svg`<path class="tick" d=${moments(b).map((t) => `M${round(b.axis.x(t))} 24V${b.place.bottom}`).join('')}/>`;
}

export function causalLabels(b: Built): {x: number; label: string}[] {
  const out: {x: number; label: string}[] = [];
  let last = -100;
  for (const t of moments(b)) {
    const x = b.axis.x(t);
    const label = t === 0 ? '0 s' : (t / 1e6).toFixed(3).replace(/0+$/, '').replace(/\.$/, '.0');
    if (x - last < measure(label) + 14) continue;
    out.push({x, label});
    last = x;
  }
  return out;
}
