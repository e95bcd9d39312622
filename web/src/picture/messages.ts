// Draws the message band: lifelines, arrows, what is parked, what is lost.
// Like the lanes it is drawn once, solid and as look-ahead.

import {svg, nothing, type SVGTemplateResult} from 'lit';
import type {CoordinatorSpan, EngineEvent, LifeSpan, Node} from '../engine/types.ts';
import {words} from '../words.ts';
import {ticks, type Axis} from './axis.ts';
import {ARROW, type Burst, type Message} from './exchange.ts';
import type {Hues} from '../identity.ts';
import {round} from './lanes.ts';
import {wide as measure} from './measure.ts';
import type {Place} from './place.ts';

export interface Scene {
  axis: Axis;
  place: Place;
  hues: Hues;
  brokers: Node[];
  consumers: Node[];
  lives: Map<Node, LifeSpan[]>;
  coordinators: CoordinatorSpan[];
  bursts: Burst[];
  /** So many members that arrows are only a texture. */
  dense: boolean;
  /** Time runs down: where each arrow stands; none shares its place. */
  slots?: ReadonlyMap<Message, number>;
}

export function yOf({place, brokers, consumers}: Pick<Scene, 'place' | 'brokers' | 'consumers'>, node: Node): number {
  return node > 0 ? place.brokers.top + brokers.indexOf(node) * place.brokers.pitch : place.consumers.top + consumers.indexOf(node) * place.consumers.pitch;
}

/** Lifelines of brokers: a heavier one while it coordinates this group. */
export function brokerLines(scene: Scene, ahead: boolean): SVGTemplateResult[] {
  const {axis} = scene;
  return scene.brokers.map((b) => {
    const y = yOf(scene, b);
    const lives = scene.lives.get(b) ?? [];
    const down = (s: LifeSpan) => s.state === 'dead' || s.state === 'stopped';
    return svg`<g>${lives.map((s) => svg`<path class="life${down(s) ? ' off' : ''}" d="M${round(axis.x(s.from))} ${y}H${round(axis.x(s.to))}"/>`)}
      ${scene.coordinators.filter((c) => c.node === b).map((c) => svg`<path class="life coord${ahead ? ' ahead' : ''}" d="M${round(axis.x(c.from))} ${y}H${round(axis.x(c.to))}"/>`)}
      ${ahead ? nothing : lives.filter(down).map((s) => s.state === 'dead' ? cross(axis.x(s.from), y) : stop(axis.x(s.from), y))}</g>`;
  });
}

export function consumerLines(scene: Scene, ahead: boolean): SVGTemplateResult[] {
  return scene.consumers.map((c) => svg`<g class=${scene.hues.of(c)}>${(scene.lives.get(c) ?? []).map((s) => life(scene, c, s, ahead))}</g>`);
}

function life(scene: Scene, node: Node, s: LifeSpan, ahead: boolean): SVGTemplateResult | typeof nothing {
  const {axis, place} = scene;
  const y = yOf(scene, node), x0 = axis.x(s.from), x1 = axis.x(s.to), tall = Math.min(14, place.consumers.pitch - 6);
  const line = (kind: string) => svg`<path class=${kind} d="M${round(x0)} ${y}H${round(x1)}"/>`;
  switch (s.state) {
    case 'absent':
      return nothing;
    case 'up':
      return line('life m');
    case 'parked': {
      if (x1 - x0 < 10) return line('life m');
      const b = scene.bursts.findLast((b) => b.consumer === node && b.at <= s.from);
      const start = Math.min(x1 - 4, b && s.from - b.at < 1_000_000 ? burstEnd(scene, b) + (b.rejoin ? 18 : 4) : x0);
      return svg`${start > x0 + 1 ? svg`<path class="leader" d="M${round(x0)} ${y}H${round(start)}"/>` : nothing}
        <rect class="parked" x=${round(start)} y=${y - tall / 2} width=${round(x1 - start)} height=${tall} rx="2"/>`;
    }
    case 'stalled':
      return svg`${line('life m')}<rect class="deadgap" x=${round(x0)} y=${y - tall / 2} width=${round(Math.max(1, x1 - x0))} height=${tall}/>`;
    case 'dead':
      return svg`${line('life off')}${ahead ? nothing : cross(x0, y)}`;
    case 'stopped':
      return svg`${line('life off')}${ahead ? nothing : stop(x0, y)}`;
  }
}

const burstX = ({axis}: Scene, b: Burst) => axis.x(b.at) + b.fan;
const burstEnd = (scene: Scene, b: Burst) => scene.slots?.get(b.arrows[b.arrows.length - 1]!) ?? burstX(scene, b) + (b.arrows.length - 1) * ARROW;

/** The arrows of all bursts; those before `quiet` are grey: they are not today's story. */
export function arrows(scene: Scene, quiet: number): SVGTemplateResult[] {
  if (scene.dense && !scene.axis.causal && scene.consumers.length > 16) return texture(scene);
  return scene.bursts.map((b) => {
    const soft = b.at < quiet || scene.dense;
    const y = yOf(scene, b.consumer);
    return svg`<g>${b.again ? repeats(scene, b, soft) : nothing}${b.arrows.map((m, i) => arrow(scene, m, b, i, soft || (b.arrows.length === 3 && i === 0)))}
      ${b.rejoin && scene.place.consumers.pitch >= 22 ? rejoin(burstEnd(scene, b), y, Boolean(scene.slots)) : nothing}</g>`;
  });
}

/** From the first time to the last, on the row of the one that asks. */
function repeats(scene: Scene, b: Burst, soft: boolean): SVGTemplateResult {
  const x0 = burstEnd(scene, b), x1 = scene.axis.x(b.until), y = yOf(scene, b.consumer) - Math.min(9, scene.place.consumers.pitch / 2 - 2);
  let d = `M${round(x0)} ${y}H${round(x1)}`, before = x0 + 5;
  for (const m of b.messages) {
    const x = scene.axis.x(m.from);
    if (!m.request || x - before < 4 || x > x1 - 1) continue;
    d += `M${round(x)} ${y}v4`;
    before = x;
  }
  return svg`<path class="req thin${soft ? ' soft' : ''}" d="${d}M${round(x1)} ${y}v4"/>`;
}

/** Many members: every arrow is a stroke of the same two paths. */
function texture(scene: Scene): SVGTemplateResult[] {
  let requests = '', responses = '';
  for (const b of scene.bursts) {
    const x = round(burstX(scene, b)), m = b.arrows[0]!;
    const d = `M${x} ${yOf(scene, b.consumer)}V${yOf(scene, m.broker)}`;
    if (m.request) requests += d;
    else responses += d;
  }
  return [svg`<path class="req soft thin" d=${requests}/><path class="res soft thin" d=${responses}/>`];
}

function arrow(scene: Scene, m: Message, b: Burst, i: number, soft: boolean): SVGTemplateResult {
  const {axis, place} = scene;
  const yc = yOf(scene, m.consumer), yb = yOf(scene, m.broker);
  const shift = b.fan + i * (axis.causal ? 0 : ARROW);
  const slot = scene.slots?.get(m), x0 = slot ?? axis.x(m.from) + shift, x1 = slot ?? (axis.causal ? axis.x(m.to) : axis.x(m.from)) + shift;
  const gap = place.consumers.pitch > 24 ? 3 : 2;
  const start = m.request ? yc - gap : yb + 2, end = m.request ? yb + 2 : yc - gap;
  const tone = soft ? ' soft' : '';
  if (m.lost) {
    const mid = (start + end) / 2, xm = (x0 + x1) / 2;
    return svg`<path class="${m.request ? 'req' : 'res'}${tone}" d="M${round(x0)} ${start}L${round(xm)} ${mid}"/>${cross(xm, mid)}`;
  }
  return svg`<path class="${m.request ? 'req' : 'res'}${tone}" d="M${round(x0)} ${start}L${round(x1)} ${end}"/>${head(x0, start, x1, end, tone)}`;
}

/** An arrow's head, turned to where the arrow comes from. */
function head(x0: number, y0: number, x: number, y: number, tone: string): SVGTemplateResult {
  const angle = Math.atan2(y - y0, x - x0) * 180 / Math.PI + 90;
  return svg`<path class="head${tone}" transform="translate(${round(x)} ${round(y)}) rotate(${round(angle)})" d="M0 0l-3.5 6h7z"/>`;
}

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

/** Where time runs down, x and y have changed places; the sign has not. */
function rejoin(x: number, y: number, down: boolean): SVGTemplateResult {
  return svg`<g transform="translate(${round(x)} ${y})${down ? ' matrix(0 1 1 0 0 0)' : ''}"><circle class="glyph" r="7"/><path class="stroke" d="M2.9 -1.8A3.4 3.4 0 1 0 3.3 1.2M3.4 -3.6V-1.4H1.2"/></g>`;
}

export function cross(x: number, y: number): SVGTemplateResult {
  return svg`<path class="loss" d="M${round(x - 5)} ${y - 5}l10 10m0 -10l-10 10"/>`;
}

function stop(x: number, y: number): SVGTemplateResult {
  return svg`<path class="stop" d="M${round(x)} ${y - 6}v12"/>`;
}
