// The words of the message band: how many messages a burst has, which errors,
// what a lifeline does.

import {nothing, svg, type SVGTemplateResult} from 'lit';
import type {Node} from '../engine/types.ts';
import {words} from '../words.ts';
import {ARROW, type Burst} from './exchange.ts';
import {round} from './lanes.ts';
import {wide as measure} from './measure.ts';
import {burstEnd, burstX, yOf, type Scene} from './messages.ts';

/** Numbers on folded bursts; a click spreads them out in causal spacing. */
export function counts(scene: Scene, quiet: number, now: number, open: (b: Burst) => void): SVGTemplateResult[] {
  if (scene.place.consumers.pitch < 22) return [];
  const edges = new Map<Node, number>();
  return scene.bursts.filter((b) => b.folded && b.at <= now).map((b) => {
    // Two badges of one row stand beside each other.
    const half = badgeWidth(b.folded) / 2, x = Math.max(burstX(scene, b), (edges.get(b.consumer) ?? -99) + half + 2);
    edges.set(b.consumer, x + half);
    const roomy = scene.place.consumers.pitch > 30;
    const y = yOf(scene, b.consumer) - (b.arrows.length > 1 && b.errors.length ? (roomy ? 32 : 24) : roomy ? 20 : 14);
    const n = b.again ? b.messages.filter((m) => m.from <= now).length : b.folded;
    const label = b.again && roomy && scene.axis.x(Math.min(now, b.until)) - x - half > measure(b.again) + 8 ? b.again : '';
    return svg`<g class="spread ${b.at < quiet ? 'softglyph' : ''}" transform="translate(${round(x)} ${y})" @click=${() => open(b)}>
      <title>${b.again ? words.picture.again(b.messages.length, b.again, b.at, b.until) : b.messages.map((m) => m.error ? `${m.api}: ${m.error}` : m.api + (m.request ? '' : ' ↩')).join(', ')}</title>
      ${badge(n)}<text class="mid" y="4">${n}</text>${label ? svg`<text class="halo" x=${round(badgeWidth(n) / 2 + 4)} y="4">${label}</text>` : nothing}</g>`;
  });
}

const badgeWidth = (n: number) => n < 10 ? 16 : 8 + String(n).length * 7.5;

/** A circle; a pill for numbers that do not fit. */
function badge(n: number): SVGTemplateResult {
  const wide = badgeWidth(n);
  return svg`<rect class="glyph" x=${-wide / 2} y="-8" width=${wide} height="16" rx="8"/>`;
}

/** Names of errors, left of their burst when the past has room, else right of it. */
export function errorLabels(scene: Scene, now: number, from: number): SVGTemplateResult[] {
  if (scene.place.consumers.pitch < 24) return [];
  const out: SVGTemplateResult[] = [];
  const lastEnd = new Map<Node, number>();
  for (const b of scene.bursts) {
    const x = burstX(scene, b), edge = lastEnd.get(b.consumer) ?? 0;
    lastEnd.set(b.consumer, Math.max(edge, burstEnd(scene, b) + 14));
    if (!b.errors.length || b.at > now) continue;
    const label = b.errors.join(', '), wide = measure(label);
    // Tight rows: the timer of the row above ends a bit further down.
    const y = yOf(scene, b.consumer), up = scene.place.consumers.pitch < 36 ? 13 : 16;
    const alive = (scene.lives.get(b.consumer) ?? []).some((s) => s.from < b.at - 100_000 && s.to >= b.at - 100_000 && s.state !== 'absent');
    const at = b.arrows.findIndex((m) => m.error);
    if (x - 44 - wide > Math.max(edge, from)) {
      if (!alive) out.push(svg`<text class="end halo" x=${round(x - 12)} y=${y + 4}>${label}</text>`);
      else out.push(leader(onArrow(scene, b, Math.max(0, at), y - up), x - 44, y - up), svg`<text class="end halo" x=${round(x - 48)} y=${y - up + 4}>${label}</text>`);
    } else if (x > from && roomRight(scene, b) > wide + 30 && burstEnd(scene, b) + 14 + wide < from + scene.place.plot + 14) {
      const end = burstEnd(scene, b);
      out.push(svg`<text class="halo" x=${round(end + 14)} y=${y - (up < 16 ? 8 : 12)}>${label}</text>`);
      lastEnd.set(b.consumer, end + 14 + wide);
    }
  }
  return out;
}

/** Where an arrow crosses a height. */
function onArrow(scene: Scene, b: Burst, i: number, y: number): number {
  const x = burstX(scene, b), m = b.arrows[i];
  if (!scene.axis.causal || !m) return x + i * ARROW;
  const yc = yOf(scene, m.consumer), yb = yOf(scene, m.broker);
  const part = m.request ? (y - yc) / (yb - yc) : (y - yb) / (yc - yb);
  return scene.axis.x(m.from) + b.fan + part * (scene.axis.x(m.to) - scene.axis.x(m.from));
}

function roomRight(scene: Scene, b: Burst): number {
  const next = scene.bursts.find((o) => o.consumer === b.consumer && o.at > b.at);
  return (next ? burstX(scene, next) : scene.axis.width) - burstEnd(scene, b);
}

function leader(x: number, to: number, y: number): SVGTemplateResult {
  return svg`<path class="leader" d="M${round(to)} ${y}H${round(x)}"/><circle class="head" cx=${round(x)} cy=${y} r="2.5"/>`;
}

/** Words on lifelines: parked, killed, stalled. */
export function lifeLabels(scene: Scene, now: number, from: number): SVGTemplateResult[] {
  const {axis} = scene;
  if (scene.place.consumers.pitch < 24) return [];
  const out: SVGTemplateResult[] = [];
  const nowX = axis.x(now);
  for (const c of scene.consumers) {
    const y = yOf(scene, c) + 4;
    let first = true;
    for (const s of scene.lives.get(c) ?? []) {
      if (s.from > now) break;
      const x0 = axis.x(s.from), x1 = Math.min(nowX, axis.x(s.to));
      if (x0 < from - 8) continue; // a name is never cut
      if (s.state === 'dead') out.push(svg`<text class="halo" x=${round(x0 + 10)} y=${y}>${words.picture.killed(s.from)}</text>`);
      if (s.state === 'stopped') out.push(svg`<text class="halo" x=${round(x0 + 10)} y=${y}>${words.picture.stopped(s.from)}</text>`);
      if (s.state === 'stalled' && x1 - x0 > 90) out.push(svg`<text class="halo" x=${round(x0 + 8)} y=${y}>${words.picture.stalled}</text>`);
      if (s.state === 'parked') {
        const b = scene.bursts.findLast((b) => b.consumer === c && b.at <= s.from);
        const start = besideArrows(scene, c, (b ? burstEnd(scene, b) : x0) + (b?.rejoin ? 18 : 4) + 6, s.from);
        const label = first ? words.picture.parkedIn : words.picture.parked;
        const short = x1 - start > measure(label) + 6 ? label : x1 - start > measure(words.picture.parked) + 6 ? words.picture.parked : '';
        if (short && x1 - x0 > 40) out.push(svg`<text x=${round(start)} y=${y}>${short}</text>`);
        first = false;
      }
    }
  }
  return out;
}

/** Right of the arrows of the rows below that cross this one where a label would begin. */
function besideArrows(scene: Scene, node: Node, start: number, at: number): number {
  let x = start;
  for (const b of scene.bursts) {
    if (b.at > at + 2_000_000) break;
    if (b.at < at - 2_000_000 || yOf(scene, b.consumer) <= yOf(scene, node)) continue;
    if (burstEnd(scene, b) > x - 3 && burstX(scene, b) < x + 46) x = burstEnd(scene, b) + 6;
  }
  return x;
}
