// Timers that run but do not decide.

import {svg, nothing, type SVGTemplateResult} from 'lit';
import type {Picture, Wait} from '../engine/types.ts';
import {coordinatorAt} from '../run/look.ts';
import {words} from '../words.ts';
import {round} from './lanes.ts';
import {wide as measure} from './measure.ts';
import {yOf, type Scene} from './messages.ts';
import {labelX, rightOf} from './now.ts';

/** What bounds the join phase, grey, on the coordinator's line. */
export function otherTimers(scene: Scene, picture: Picture, group: string, wait: Wait | undefined, now: number, from: number): SVGTemplateResult[] {
  const {axis} = scene;
  const out: SVGTemplateResult[] = [];
  const starts = picture.events.filter((e) => (e.kind === 'rebalance-began' || e.kind === 'delay-extended') && e.group === group && e.at <= now && e.due);
  starts.forEach((e, i) => {
    const done = picture.events.find((o) => o.n > e.n && o.group === group && (o.kind === 'join-completed' || o.kind === 'group-unloaded' || o.kind === 'group-removed'));
    const end = Math.min(e.due!, done?.at ?? e.due!, starts[i + 1]?.at ?? Infinity);
    const broker = coordinatorAt(picture, group, e.at);
    if (!broker || (wait?.kind === 'initial-delay' && end > now)) return; // that one is vermillion
    const y = yOf(scene, broker) + 5;
    const x0 = axis.x(e.at), x1 = axis.x(end), x = axis.x(now);
    out.push(svg`<rect class="timer-gone" x=${round(x0)} y=${y} width=${Math.max(0.5, round(Math.min(x, x1) - x0 - 0.5))} height="4"/>`);
    if (end <= now) return;
    const beyond = e.due! > axis.end;
    out.push(svg`<rect class="timer" x=${round(x)} y=${y} width=${Math.max(0.5, round(axis.x(e.due!) - x))} height="4"/>
      ${beyond ? svg`<path class="timer" d="M${round(axis.width - 8)} ${y - 3}l8 5l-8 5z"/>` : nothing}`);
    const label = words.picture.timerLeft(e.config ?? '', e.due! - now);
    const start = labelX(axis, rightOf(axis, now, wait), measure(label));
    if (start + measure(label) < from + scene.place.plot + 12) out.push(svg`<text class="q halo" x=${start} y=${y + 14}>${label}</text>`);
  });
  return out.slice(-3 * 4);
}
