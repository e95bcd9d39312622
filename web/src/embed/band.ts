// <lab-band>: one band of the picture, small, without menus. Rows that have no
// room are counted.

import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit';
import type {Node, Picture} from '../engine/types.ts';
import {define} from '../piece.ts';
import {keep} from '../picture/fold.ts';
import {waitsLabel} from '../picture/gutter.ts';
import {round} from '../picture/lanes.ts';
import {legend} from '../picture/legend.ts';
import {yOf} from '../picture/messages.ts';
import {boxWidth, laneLabel, nameBox} from '../picture/names.ts';
import {playhead} from '../picture/now.ts';
import {Pictured, type Arranged, type Built} from '../picture/pictured.ts';
import {placeSmall, RIGHT} from '../picture/place.ts';
import type {Row} from '../picture/rows.ts';
import {table} from '../picture/table.ts';
import {coordinatorAt, livesOf} from '../run/look.ts';
import {words} from '../words.ts';

const MOST_ROWS = 12;
const MOST_MEMBERS = 8;

class SmallBand extends Pictured {
  protected override arrange(picture: Picture, all: Row[], members: Node[]): Arranged {
    const matters = (n: Node) => livesOf(picture, n).some((s) => s.state === 'dead' || s.state === 'stalled');
    const rows = keep(all, MOST_ROWS, (row) => row.spans.some((s) => s.state === 'stuck')), consumers = keep(members, MOST_MEMBERS, matters);
    const counted = Number(rows.length < all.length), hidden = members.length - consumers.length;
    const where = placeSmall(this.size.width, rows.length + counted, this.run.scenario!.brokers.length, consumers.length + Number(hidden > 0), this.bands);
    return {rows, consumers, hidden: this.bands === 'ownership' ? all.length - rows.length : hidden, place: where};
  }

  protected override render(): TemplateResult | typeof nothing {
    const b = this.build();
    if (!b) return nothing;
    const {run} = this, {place: p} = b;
    this.glide.step(b.axis, run.now, run.stepped);
    const scroll = this.follow(b);
    return html`${this.frame(b, [this.names(b), this.plot(b, scroll), playhead(p.gutter + b.axis.x(this.now) - scroll, this.now, p.bottom),
      svg`<g aria-hidden="true">${legend(p.width - RIGHT, p.legend + 2, this.bands, false)}</g>`])}${table(run)}`;
  }

  private names(b: Built): SVGTemplateResult {
    const {run} = this, {place: p} = b, {wait} = run, room = p.gutter - 8;
    const last = (i: number, top: number, pitch: number) => b.hidden ? svg`<text class="s" x="0" y=${top + i * pitch + 4}>${words.picture.more(b.hidden)}</text>` : nothing;
    return svg`<g>${wait ? svg`<text class="w" x="0" y=${p.wait + 12}>${waitsLabel(wait, run.situation?.waited ?? [], (n) => run.nameOf(n), p.gutter)}</text>` : nothing}
      ${this.bands === 'ownership' ? svg`${b.rows.map((row, i) => laneLabel(row.lane!, 0, round(p.lane.top + i * p.lane.pitch + p.lane.bar / 2 + 4), room))}${last(b.rows.length, p.lane.top + p.lane.bar / 2, p.lane.pitch)}`
        : svg`${b.brokers.map((n) => svg`<text class=${n === coordinatorAt(b.picture, b.group, this.now) ? 'b' : 's'} x="0" y=${yOf(b, n) + 4}>${run.nameOf(n)}</text>`)}
          ${b.consumers.map((n) => nameBox(run, b.picture, n, this.now, {x: 0.8, y: yOf(b, n), wide: Math.min(room, boxWidth(run.nameOf(n))), tall: 18}))}${last(b.consumers.length, p.consumers.top, p.consumers.pitch)}`}</g>`;
  }

}

define('lab-band', SmallBand);
