// The last sign of life before somebody fell silent.

import {svg, nothing, type SVGTemplateResult} from 'lit';
import type {Node, Wait} from '../engine/types.ts';
import type {Run} from '../run/run.ts';
import {words} from '../words.ts';
import {round} from './lanes.ts';
import {yOf, type Scene} from './messages.ts';

/** The last sign of life of the one that is waited for: it armed the timer. Null while the engine has not said, or when there is none. */
export function signOf(run: Run, wait: Wait | undefined): {api: string; at: number; broker: Node} | null {
  if (!wait || wait.config !== 'session.timeout.ms' || wait.for >= 0 || !wait.since) return null;
  // Routine heartbeats are only counted: the engine plays that half second again.
  const near = run.detail(Math.max(0, wait.since - 500_000), wait.since + 1000);
  const said = near.findLast((e) => e.kind === 'request' && e.node === wait.for && (e.due ?? e.at) <= wait.since + 1000);
  return said?.peer ? {api: said.api ?? '', at: said.at, broker: said.peer} : null;
}

export function lastSign(scene: Scene, run: Run, wait: Wait | undefined, from: number): SVGTemplateResult | typeof nothing {
  const sign = signOf(run, wait);
  if (!sign || !scene.consumers.includes(wait!.for)) return nothing;
  const x = round(scene.axis.x(wait!.since)), y = yOf(scene, wait!.for), yb = yOf(scene, sign.broker);
  return svg`<path class="req" d="M${x} ${y - 3}V${yb + 2}"/><path class="head" d="M${x} ${yb + 2}l-3.5 6h7z"/>
    ${scene.place.consumers.pitch > 24 && x + 6 > from ? svg`<text class="halo" x=${x + 6} y=${y - 9}>${words.picture.lastSign(sign.api, sign.at)}</text>` : nothing}`;
}
