// Heartbeats; and what many members come to: arrows are a texture, heartbeats
// are counted.

import {svg, type SVGTemplateResult} from 'lit';
import type {EngineEvent} from '../engine/types.ts';
import {ticks} from './axis.ts';
import {round} from './lanes.ts';
import {burstX, yOf, type Scene} from './messages.ts';

/** Every arrow is a stroke of the same two paths. */
export function texture(scene: Scene): SVGTemplateResult[] {
  let requests = '', responses = '';
  for (const b of scene.bursts) {
    const x = round(burstX(scene, b)), m = b.arrows[0]!;
    const d = `M${x} ${yOf(scene, b.consumer)}V${yOf(scene, m.broker)}`;
    if (m.request) requests += d;
    else responses += d;
  }
  return [svg`<path class="req soft thin" d=${requests}/><path class="res soft thin" d=${responses}/>`];
}

/** From nine members on heartbeats are counted, between two ticks of the axis. */
export function beatCounts(scene: Scene, beats: readonly EngineEvent[]): SVGTemplateResult[] {
  const {axis} = scene, y = scene.place.consumers.top - 14;
  const marks = ticks(axis), counts = marks.map(() => 0);
  let i = 0;
  for (const e of beats) {
    while (i + 1 < marks.length && marks[i + 1]!.t <= e.at) i++;
    if (marks[i]) counts[i]!++;
  }
  return marks.map((t, i) => {
    const x0 = t.x, x1 = marks[i + 1]?.x ?? axis.width;
    // A fold hides some of them: such a number would be true of nothing that one sees.
    if (!counts[i] || axis.folds.some((f) => axis.x(f.from) < x1 && axis.x(f.to) > x0)) return svg``;
    return svg`<text class="mid q halo" x=${round((x0 + x1) / 2)} y=${y}>${counts[i]}</text>`;
  });
}

/** Heartbeats that were answered NONE: stubs above the lifeline. */
export function heartbeats(scene: Scene, beats: readonly EngineEvent[]): SVGTemplateResult[] {
  return scene.consumers.map((c) => {
    const y = yOf(scene, c) - 2;
    let d = '', last = -10;
    for (const e of beats) {
      if (e.node !== c) continue;
      const x = scene.axis.x(e.at);
      if (x - last < 3 || scene.axis.folded(e.at)) continue;
      d += `M${round(x)} ${y}v-8`;
      last = x;
    }
    return d ? svg`<path class="hb" d=${d}/>` : svg``;
  });
}
