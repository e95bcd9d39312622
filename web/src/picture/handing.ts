// The assignment as a movement, 600 ms: old bars retract to the revoke, the
// hatch stands alone, new bars grow from the left. It lies over the picture.

import {svg, nothing, type SVGTemplateResult} from 'lit';
import {round, type Band} from './lanes.ts';
import type {Hands} from './motion.ts';

export function handing({axis, place, hues}: Band, hands: Hands | null): SVGTemplateResult | typeof nothing {
  if (!hands) return nothing;
  const {stage, part} = hands, h = place.lane.bar;
  return svg`<g class="handing" data-stage=${stage}>${hands.handed.map(({row, old, next}) => {
    const y = place.lane.top + row * place.lane.pitch, xa = axis.x(next.from), xz = axis.x(next.to), x0 = old ? axis.x(old.to) : xa;
    const grown = stage === 2 ? xa + (xz - xa) * part : xa, reach = stage === 0 ? (xa - x0) * (1 - part) : 0;
    return svg`<rect class="cover" x=${round(grown)} y=${y - 1} width=${Math.max(0, round(xz - grown + 1))} height=${h + 2}/>
      ${old && reach > 0.5 ? svg`<g class=${hues.of(old.node)}><rect class="own" x=${round(x0)} y=${y + 0.75} width=${round(reach)} height=${h - 1.5} rx="2"/></g>` : nothing}`;
  })}</g>`;
}
