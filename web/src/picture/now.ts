// What moves with the playhead: the wait bar, the state of the group, timers on
// lifelines, the due line, the playhead itself. A few dozen marks a frame.

import {svg, nothing, type SVGTemplateResult} from 'lit';
import type {Picture, Wait} from '../engine/types.ts';
import {seconds, span} from '../format.ts';
import {coordinatorAt} from '../run/look.ts';
import {words} from '../words.ts';
import type {Axis} from './axis.ts';
import {round} from './lanes.ts';
import {wide as measure} from './measure.ts';
import {yOf, type Scene} from './messages.ts';

/** The wait that holds now, on the clock: outline gone, fill left. */
export function waitBar(axis: Axis, wait: Wait | undefined, now: number, y: number, from: number, plot: number): SVGTemplateResult | typeof nothing {
  if (!wait) return nothing;
  if (wait.due === null && !wait.since) return nothing;
  const since = wait.since || now, due = wait.due ?? now;
  const x0 = axis.x(since), x = axis.x(now), x1 = axis.x(due), seen = Math.min(x1, from + plot);
  const left = words2(due - now, seen - x);
  const long = measure(wait.config, 'mono') + 6, start = labelX(axis, Math.max(x0, from) + 7, long);
  const label = x - start > long ? wait.config : '';
  return svg`<rect class="gone" x=${round(x0) + 0.75} y=${y + 0.75} width=${Math.max(0, round(x - x0))} height="14.5"/>
    <rect class="left" x=${round(x)} y=${y} width=${Math.max(1.5, round(x1 - x))} height="16"/>
    ${label ? svg`<text class="mono" x=${start} y=${y + 12}>${label}</text>` : nothing}
    ${left ? svg`<text class="b mid onwait" x=${round(middle(axis, x, seen))} y=${y + 12}>${left}</text>` : nothing}`;
}

const words2 = (t: number, room: number) => room > measure(span(t), 'bold') + 8 ? span(t) : '';

/** The middle, or beside a fold that would cover it. */
function middle(axis: Axis, x: number, x1: number): number {
  const at = (x + x1) / 2;
  for (const f of axis.folds) {
    const a = axis.x(f.from), b = axis.x(f.to);
    if (at > a - 26 && at < b + 26) return x1 - b > 56 ? b + 30 : a - x > 56 ? a - 30 : at;
  }
  return at;
}

/** A label moves behind a fold that would cover it. */
export function labelX(axis: Axis, x: number, wide: number): number {
  for (const f of axis.folds) {
    const a = axis.x(f.from), b = axis.x(f.to);
    if (x + wide > a && x < b) return round(b + 7);
  }
  return round(x);
}

/** Where a label begins right of the playhead: clear of the due line. */
export function rightOf(axis: Axis, now: number, wait: Wait | undefined): number {
  const x = axis.x(now) + 8, due = wait?.due ? axis.x(wait.due) : -1;
  return due > x - 10 && due < x + 22 ? due + 8 : x;
}

/** The deciding timer under the lifeline of the one that is waited for. */
export function decidingTimer(scene: Scene, picture: Picture, group: string, wait: Wait | undefined, now: number, from: number, name: (n: number) => string): SVGTemplateResult | typeof nothing {
  if (!wait || wait.due === null) return nothing;
  const {axis} = scene;
  const delay = wait.kind === 'initial-delay';
  const node = delay || wait.for === 0 ? coordinatorAt(picture, group, now) : wait.for;
  if (!node || (node < 0 && !scene.consumers.includes(node))) return nothing;
  const {pitch} = scene.place.consumers, roomy = pitch >= 40;
  // Clear of the words on the lifeline, where rows have words.
  const y = yOf(scene, node) + (node > 0 ? 4 : roomy ? 9 : pitch < 24 ? 5 : 7), tall = node > 0 ? 5 : roomy ? 8 : pitch < 24 ? 4 : 6;
  const x0 = axis.x(wait.since || now), x = axis.x(now), x1 = axis.x(wait.due);
  const label = wait.config && (node > 0 ? words.picture.timerLeft(wait.config, wait.due - now) : words.picture.timerOf(wait.config, name(node), wait.due - now));
  const wide = measure(label, 'bold'), start = labelX(axis, rightOf(axis, now, wait), wide);
  const right = start + wide < from + scene.place.plot + 12;
  const fits = right || (!axis.causal && x - 8 - wide > from);
  return svg`<rect class="gone" x=${round(x0) + 0.75} y=${y + 0.75} width=${Math.max(0, round(x - x0))} height=${tall - 1.5}/>
    <rect class="left" x=${round(x)} y=${y} width=${Math.max(1.5, round(x1 - x))} height=${tall}/>
    ${label && fits && roomy ? svg`<text class="w halo${right ? '' : ' end'}" x=${right ? start : round(x - 8)} y=${y + (node > 0 ? 15 : 21)}>${label}</text>` : nothing}`;
}

/** Flag and line. */
export function playhead(x: number, now: number, bottom: number): SVGTemplateResult {
  const label = seconds(now), wide = Math.max(48, label.length * 7 + 8);
  return svg`<path class="now-line" d="M${round(x)} 18V${bottom}"/><rect class="now-flag" x=${round(x - wide / 2)} y="0" width=${wide} height="18" rx="2"/>
    <text class="mid inv b" x=${round(x)} y="13">${label}</text>`;
}

/** When the deciding timer fires. */
export function dueLine(axis: Axis, wait: Wait | undefined, now: number, bottom: number): SVGTemplateResult | typeof nothing {
  if (!wait || wait.due === null || wait.due <= now || wait.due > axis.end) return nothing;
  const x = round(axis.x(wait.due)), label = seconds(wait.due), wide = Math.max(48, label.length * 7 + 8);
  const clear = x - axis.x(now) > wide;
  return svg`<path class="due-line" d="M${x} 20V${bottom}"/>
    ${clear ? svg`<rect class="cover" x=${x - wide / 2} y="0" width=${wide} height="18"/><rect class="gone" x=${x - wide / 2} y="0.75" width=${wide} height="16.5" rx="2"/>
    <text class="mid w" x=${x} y="13">${label}</text>` : nothing}`;
}
