// Draws the message band: lifelines, arrows, what is parked, what is lost.
// Like the lanes it is drawn once, solid and as look-ahead.

import {svg, nothing, type SVGTemplateResult} from 'lit';
import type {CoordinatorSpan, LifeSpan, Node} from '../engine/types.ts';
import type {Axis} from './axis.ts';
import {ARROW, type Burst, type Message} from './exchange.ts';
import type {Hues} from '../identity.ts';
import {round} from './lanes.ts';
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

export const burstX = ({axis}: Scene, b: Burst) => axis.x(b.at) + b.fan;
export const burstEnd = (scene: Scene, b: Burst) => scene.slots?.get(b.arrows[b.arrows.length - 1]!) ?? burstX(scene, b) + (b.arrows.length - 1) * ARROW;

/** The arrows of all bursts; those before `quiet` are grey: they are not today's story. */
export function arrows(scene: Scene, quiet: number): SVGTemplateResult[] {
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
