// The words of the picture where time runs down, and what moves with the
// playhead: heads, times, gaps, the wait that decides, the due line.

import {nothing, svg, type SVGTemplateResult} from 'lit';
import type {Node, Wait} from '../engine/types.ts';
import {seconds, SECOND} from '../format.ts';
import type {Run} from '../run/run.ts';
import {words} from '../words.ts';
import type {DownBuilt} from './down.ts';
import {TIME} from './downplace.ts';
import {button} from './button.ts';
import {round} from './lanes.ts';
import {wide} from './measure.ts';
import {yOf} from './messages.ts';
import {boxWidth, nameBox, shorten} from './names.ts';
import {signOf} from './sign.ts';

const label = (t: number) => (t / SECOND).toFixed(1);

type Ask = ((node: Node, e: Event) => void) | null;

/** Topic and partitions, brokers, consumers: they never move. */
export function downHeads(b: DownBuilt, run: Run, now: number, coordinator: Node, ask: Ask): SVGTemplateResult {
  const {place: p} = b, topics = [...new Set(b.rows.map((r) => r.lane!.topic))];
  const x = (i: number) => p.lane.top + i * p.lane.pitch + p.lane.bar / 2;
  const act = (node: Node, content: SVGTemplateResult, wide: number) => ask ? button({ask}, node, run.nameOf(node), svg`<rect class="hit" x=${yOf(b, node) - wide / 2} y="0" width=${wide} height="44" rx="3"/>${content}`) : content;
  // In narrow columns the word stands above its number.
  const apart = b.brokers.length > 1 || (b.brokers.length > 0 && p.lane.pitch < 21);
  let spoken = -20;
  return svg`<g><text class="q" x="0" y="30">${words.phone.time}</text>
    ${topics.map((topic) => {
      const mine = b.rows.flatMap((r, i) => r.lane!.topic === topic ? [i] : []), from = x(mine[0]!) - p.lane.bar / 2, to = x(mine[mine.length - 1]!) + p.lane.bar;
      const name = shorten(topic, Math.max(to - from, 30));
      return svg`<text class="mid q" x=${round((from + to) / 2)} y="12">${name}${name === topic ? nothing : svg`<title>${topic}</title>`}</text>`;
    })}
    ${b.rows.map((r, i) => {
      const n = String(r.lane!.partition);
      if (x(i) - spoken < wide(n) + 3) return nothing;
      spoken = x(i);
      return svg`<text class="mid s" x=${round(x(i))} y="30">${n}</text>`;
    })}
    ${apart ? svg`<text class="mid q" x=${round((yOf(b, b.brokers[0]!) + yOf(b, b.brokers[b.brokers.length - 1]!)) / 2)} y="12">${b.brokers.length > 1 ? words.phone.brokers : run.nameOf(b.brokers[0]!).split(' ')[0]}</text>` : nothing}
    ${b.brokers.map((n) => act(n, svg`<text class=${n === coordinator ? 'mid b' : 'mid s'} x=${yOf(b, n)} y="30">${apart ? n : run.nameOf(n)}</text>`, p.brokers.pitch))}
    ${b.consumers.map((n) => {
      const w = Math.min(p.consumers.pitch - 4, boxWidth(run.nameOf(n)));
      return act(n, nameBox(run, b.picture, n, now, {x: yOf(b, n) - w / 2, y: 25, wide: w, tall: 18}), p.consumers.pitch);
    })}</g>`;
}

/** Flags take the place of what stands under them. */
const flagged = (b: DownBuilt, y: number, now: number, wait: Wait | undefined) =>
  Math.abs(y - b.axis.x(now)) < 17 || Boolean(wait?.due && wait.due > now && Math.abs(y - b.axis.x(wait.due)) < 14);

/** A word is whole or away. */
const whole = (b: DownBuilt, y: number, top: number) => y - 5 > top - 10 && y + 5 < top - 10 + b.place.plot;

export function downTimes(b: DownBuilt, now: number, wait: Wait | undefined, top: number): SVGTemplateResult[] {
  let last = -20;
  return b.labels.map((t) => {
    const y = b.axis.x(t);
    if (y - last < 15 || flagged(b, y, now, wait) || !whole(b, y, top)) return svg``;
    last = y;
    return svg`<text class=${t > now ? 'q' : 's'} x="0" y=${round(y + 4)}>${label(t)}</text>`;
  });
}

/** How long nothing happened; the playhead divides the gap that it stands in. */
export function downGaps(b: DownBuilt, now: number, wait: Wait | undefined, top: number): SVGTemplateResult[] {
  const parts = b.gaps.flatMap((g) => g.from < now && now < g.to ? [{from: g.from, to: now}, {from: now, to: g.to}] : [g]);
  return parts.map(({from, to}) => {
    const y0 = b.axis.x(from), y1 = b.axis.x(to), waits = Boolean(wait?.due && from >= now && to <= wait.due);
    if (y1 - y0 < 28 || to - from < SECOND || !whole(b, (y0 + y1) / 2, top)) return svg``;
    return svg`<text class=${waits ? 'w' : 'q'} x="0" y=${round((y0 + y1) / 2 + 4)}>${words.picture.fold(to - from)}</text>`;
  });
}

/** The deciding timer beside the lifeline of the one that is waited for, and the last sign that armed it. */
export function downWait(b: DownBuilt, run: Run, wait: Wait | undefined, now: number): SVGTemplateResult | typeof nothing {
  if (!wait || wait.due === null || wait.due < now) return nothing;
  const node = wait.for < 0 ? wait.for : b.brokers.find((n) => b.coordinators.some((c) => c.node === n && c.from <= now && now <= c.to)) ?? 0;
  if (!node || (node < 0 && !b.consumers.includes(node))) return nothing;
  const x = yOf(b, node) + 9, y0 = b.axis.x(wait.since || now), y = b.axis.x(now), y1 = b.axis.x(Math.min(wait.due, b.axis.end));
  return svg`<rect class="gone" x=${x + 0.75} y=${round(y0)} width="6.5" height=${Math.max(0, round(y - y0))}/><rect class="left" x=${x} y=${round(y)} width="8" height=${Math.max(1.5, round(y1 - y))}/>${lastSign(b, run, wait)}`;
}

function lastSign(b: DownBuilt, run: Run, wait: Wait): SVGTemplateResult | typeof nothing {
  const sign = signOf(run, wait);
  if (!sign || !b.brokers.includes(sign.broker)) return nothing;
  const y = round(b.axis.x(wait.since)), x = yOf(b, sign.broker);
  return svg`<path class="req" d="M${yOf(b, wait.for) - 2} ${y}H${x + 2}"/><path class="head" d="M${x + 2} ${y}l6 -3.5v7z"/><text class="halo" x=${x + 6} y=${y - 6}>${words.phone.lastSign(sign.api)}</text>`;
}

export function downDue(b: DownBuilt, now: number, wait: Wait | undefined): SVGTemplateResult | typeof nothing {
  if (!wait?.due || wait.due <= now || wait.due > b.axis.end) return nothing;
  const y = round(b.axis.x(wait.due)), clear = y - b.axis.x(now) > 16;
  return svg`<path class="due-line" d="M${TIME - 6} ${y}H${b.place.width}"/>${clear ? svg`<text class="w" x="0" y=${y + 4}>${label(wait.due)}</text>` : nothing}`;
}

export function downNow(b: DownBuilt, now: number): SVGTemplateResult {
  const y = round(b.axis.x(now)), text = seconds(now), w = Math.max(38, wide(text, 'bold') + 8);
  return svg`<path class="now-line" d="M0 ${y}H${b.place.width}"/><rect class="now-flag" x="0" y=${y - 9} width=${w} height="18" rx="2"/><text class="mid inv b" x=${w / 2} y=${y + 4}>${text}</text>`;
}

