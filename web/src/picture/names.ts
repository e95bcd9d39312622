// Names as people gave them: of any script and any length. In the picture a
// name that has no room gives way in its middle; the whole stands in a title.

import {nothing, svg, type SVGTemplateResult} from 'lit';
import type {Lane, Node, Picture} from '../engine/types.ts';
import {lifeAt} from '../run/look.ts';
import type {Run} from '../run/run.ts';
import {wide, type Ink} from './measure.ts';

const letters = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

/** The name, or its beginning and its last letters; in very little room only these, which tell `pod-1` from `pod-2`. */
export function shorten(name: string, room: number, ink: Ink = 'text'): string {
  if (wide(name, ink) <= room) return name;
  const all = [...letters.segment(name)].map((s) => s.segment), end = all.splice(-Math.min(2, all.length - 1));
  const last = end[end.length - 1]!;
  for (; all.length; all.pop()) if (wide(`${all.join('')}…${end.join('')}`, ink) <= room) return `${all.join('')}…${end.join('')}`;
  return [`…${end.join('')}`, `…${last}`].find((short) => wide(short, ink) <= room) ?? last;
}

/** A name whose letters run the other way does not drag its neighbours along. */
function isolate(name: string): string {
  return /[^ -~]/.test(name) ? `\u2068${name}\u2069` : name;
}

/** `orders-2`: the number is never cut. */
export function laneLabel(lane: Lane, x: number, y: number, room: number, kind = 'mono'): SVGTemplateResult {
  const tail = `-${lane.partition}`, topic = shorten(lane.topic, room - wide(tail, 'mono'), 'mono');
  return svg`<text class=${kind} x=${x} y=${y}>${isolate(topic)}${tail}${topic === lane.topic ? nothing : svg`<title>${lane.topic}${tail}</title>`}</text>`;
}

export function boxWidth(name: string): number {
  return Math.max(26, wide(name, 'bold') + 10);
}

export const isDown = (life: string) => life === 'dead' || life === 'stopped' || life === 'stalled';

/** A member: hue and name in a box; hatched when it is dead or stuck. */
export function nameBox(run: Run, picture: Picture, node: Node, now: number, box: {x: number; y: number; wide: number; tall: number}): SVGTemplateResult {
  const life = lifeAt(picture, node, now), down = isDown(life), name = run.nameOf(node), {x, y, wide, tall} = box;
  const shown = shorten(name, wide - 6, 'bold');
  return svg`<g class=${run.hues.of(node)} opacity=${life === 'absent' ? 0.6 : 1}><rect class=${down ? 'deadgap' : 'own'} x=${x} y=${y - tall / 2} width=${wide} height=${tall} rx="2"/>
    ${run.hues.striped(node) && !down ? svg`<rect class="striped" x=${x} y=${y - tall / 2} width=${wide} height=${tall}/>` : nothing}
    <text class="b mid" x=${x + wide / 2} y=${y + 4}>${shown}${shown === name ? nothing : svg`<title>${name}</title>`}</text></g>`;
}
