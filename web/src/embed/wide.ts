// <lab-wide>: the element from 560 px on: one band with a switch, a small rail.

import {html, nothing, type TemplateResult} from 'lit';
import {seconds} from '../format.ts';
import {define, Piece} from '../piece.ts';
import {icon} from '../time/icons.ts';
import {words} from '../words.ts';
import './band.ts';
import './scrub.ts';

class Wide extends Piece {
  static override properties = {...Piece.properties, view: {attribute: false}, choose: {attribute: false}, link: {attribute: false}};
  declare view: 'ownership' | 'messages';
  declare choose: (view: 'ownership' | 'messages') => void;
  declare link: TemplateResult;

  protected override render(): TemplateResult {
    const {run} = this;
    return html`<lab-band .run=${run} .bands=${this.view} part="picture"></lab-band>
      <div class="controls" role="group" aria-label=${words.time.slider} part="time">
        ${run.playing ? icon('pause', () => run.stop(), 'fill') : icon('play', () => run.play(), 'fill')}${icon('next', () => run.step(run.next()))}
        <span class="clock">${seconds(run.now)}${run.late ? ` ${words.time.late}` : nothing}</span>
        <lab-scrub .run=${run}></lab-scrub>
        <span class="seg" role="group" aria-label=${words.embed.bands}>${(['ownership', 'messages'] as const).map((view) => html`<button type="button" aria-pressed=${this.view === view} @click=${() => this.choose(view)}>${words.picture[view].toLowerCase()}</button>`)}</span>
        ${this.link}
      </div>`;
  }
}

define('lab-wide', Wide);
