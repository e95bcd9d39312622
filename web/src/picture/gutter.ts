// The names at the left. They never move, also when somebody dies; consumers
// and brokers open what can happen to them.

import {wide as measure} from './measure.ts';
import {nothing, svg, type SVGTemplateResult} from 'lit';
import type {Node, Wait} from '../engine/types.ts';
import {count} from '../format.ts';
import {coordinatorAt, lagAt, lifeAt} from '../run/look.ts';
import type {Run} from '../run/run.ts';
import {words} from '../words.ts';
import {yOf} from './messages.ts';
import {button} from './button.ts';
import {boxWidth, laneLabel, nameBox} from './names.ts';
import {GUTTER, RIGHT} from './place.ts';
import type {Built} from './pictured.ts';

export interface Gutter {
  run: Run;
  now: number;
  ask(node: Node, e: Event): void;
  /** Shows the rows that had no room, or hides them again. */
  unfold(): void;
}

export function gutter(b: Built, g: Gutter): SVGTemplateResult {
  const {place: p, picture} = b, {run, now} = g;
  const wait = run.wait, coordinator = coordinatorAt(picture, b.group, now);
  const messages = p.bands !== 'ownership', ownership = p.bands !== 'messages';
  return svg`<g>
    <text class="b" x="0" y="18">${ownership ? words.picture.ownership : words.picture.messages}</text>
    ${wait ? svg`<text class="w" x="0" y="42">${waitsLabel(wait, run.situation?.waited ?? [], (n) => run.nameOf(n), GUTTER)}</text>` : nothing}
    <text class="s" x="0" y="68">${words.picture.group}</text>
    ${ownership ? svg`${run.rows === 'partitions' ? svg`<text class="end q" x="120" y="68">${words.picture.lag}</text>` : nothing}
      ${b.rows.map((row, i) => {
        const y = p.lane.top + i * p.lane.pitch + p.lane.bar / 2 + 4;
        if (row.more) return more(g, row.more, y);
        const lag = row.lane ? lagAt(row.lane, now) : -1;
        return row.node ? member(b, g, row.node, y - 4, false) : svg`${row.lane ? laneLabel(row.lane, 0, y, 116 - (lag < 0 ? 0 : measure(count(lag)) + 6)) : nothing}${lag >= 0 ? svg`<text class="end s" x="120" y=${y}>${count(lag)}</text>` : nothing}`;
      })}` : nothing}
    ${messages ? svg`${ownership ? svg`<path class="tick" d="M0 ${p.lanesEnd}H${p.width - RIGHT}"/><text class="b" x="0" y=${p.lanesEnd + 16}>${words.picture.messages}</text>` : nothing}
      ${b.brokers.map((n) => broker(b, g, n, n === coordinator))}
      ${b.dense && !b.axis.causal ? svg`<text class="q" x="0" y=${p.consumers.top - 14}>${words.stage.beats}</text>` : nothing}
      ${b.consumers.map((n) => member(b, g, n, yOf(b, n), true))}
      ${b.hidden ? more(g, b.hidden, p.consumers.top + b.consumers.length * p.consumers.pitch + 4) : nothing}` : nothing}
  </g>`;
}

/** So many rows are hidden; opens them, or folds them again. */
function more(g: Gutter, hidden: number, y: number): SVGTemplateResult {
  return toggle(hidden < 0 ? words.stage.fewer : words.picture.more(hidden), hidden < 0, 0, y, g.unfold);
}

/** Words that open and close something in the picture. */
export function toggle(label: string, open: boolean, x: number, y: number, action: () => void): SVGTemplateResult {
  const act = (e: Event) => {
    e.preventDefault();
    e.stopPropagation();
    action();
  };
  return svg`<g role="button" tabindex="0" class="more" aria-expanded=${open} aria-label=${label} @click=${act} @keydown=${(e: KeyboardEvent) => (e.key === 'Enter' || e.key === ' ') && act(e)}>
    <rect class="hit" x=${x - 4} y=${y - 12} width=${measure(label) + 24} height="16" rx="3"/><text class="s" x=${x} y=${y}>${open ? '▾' : '▸'} ${label}</text></g>`;
}

/** The row of the wait bar: for whom, as short as it can be said. */
export function waitsLabel(wait: Wait, waited: readonly Node[], name: (n: Node) => string, room: number): string {
  const w = words.picture;
  if (wait.kind === 'initial-delay' || wait.kind === 'coordinator') return w.waitsKind[wait.kind]!;
  const all = waited.filter((n) => n < 0);
  const named = w.waitsFor(all.map(name).join(', '));
  return !all.length ? w.waits : all.length <= 3 && measure(named, 'bold') <= room - 6 ? named : w.waitsMany(all.length);
}

function broker(b: Built, g: Gutter, node: Node, coordinator: boolean): SVGTemplateResult {
  const y = yOf(b, node), life = lifeAt(b.picture, node, g.now), name = g.run.nameOf(node);
  const text = `${name}${coordinator ? words.stage.coordinator : life === 'up' ? '' : `, ${words.act.life[life]}`}`;
  return button(g, node, text, svg`<rect class="hit" x="-6" y=${y - 10} width=${GUTTER - 4} height="20" rx="3"/>
    ${coordinator ? svg`<text x="0" y=${y + 4} textLength=${measure(name, 'bold') + measure(words.stage.coordinator) > GUTTER - 16 ? GUTTER - 16 : nothing} lengthAdjust="spacingAndGlyphs"><tspan class="b">${name}</tspan>${words.stage.coordinator}</text>`
      : svg`<text class=${life === 'up' ? 's' : 'q'} x="0" y=${y + 4}>${text}</text>`}`);
}

/** `main`: its place in the message band, with what is to be said about it. */
function member(b: Built, g: Gutter, node: Node, y: number, main: boolean): SVGTemplateResult {
  const {run} = g, life = lifeAt(b.picture, node, g.now), name = run.nameOf(node);
  const wide = Math.min(GUTTER - 16, boxWidth(name));
  const tall = Math.min(18, b.place.consumers.pitch - 3, main ? 18 : b.place.lane.pitch - 2);
  const said = !main || b.place.consumers.pitch < 22 ? '' : words.stage.facts[life] ?? role(b, g, node);
  const fact = wide + 8 + measure(said) < GUTTER - 14 ? said : '';
  return button(g, node, `${name} ${fact}`.trim(), svg`<rect class="hit" x="-6" y=${y - tall / 2 - 2} width=${GUTTER - 4} height=${tall + 4} rx="3"/>
    ${nameBox(run, b.picture, node, g.now, {x: 0.8, y, wide, tall})}
    ${fact ? svg`<text class="q" x=${wide + 8} y=${y + 4}>${fact}</text>` : nothing}`, !main);
}

/** `leader` or `new`, as the coordinator sees it. */
function role(b: Built, {run, now}: Gutter, node: Node): string {
  const view = run.view;
  const g = view && Math.abs(view.at - now) < 500_000 ? view.groups.find((g) => g.id === b.group) : undefined;
  if (g?.leader === node) return words.stage.leader;
  return g?.members.find((m) => m.node === node)?.isNew ? words.stage.new : '';
}
