// <lab-room>: the room in the bar, and who is there.

import {html, nothing, type TemplateResult} from 'lit';
import {define, Piece} from '../piece.ts';
import '../share/copy.ts';
import {words} from '../words.ts';
import {shown} from './protocol.ts';
import type {Room} from './room.ts';

export class RoomPanel extends Piece {
  static override properties = {...Piece.properties, room: {attribute: false}, open: {type: Boolean}};
  declare room: Room;
  declare open: boolean;

  constructor() {
    super();
    this.open = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.style.display = 'contents';
  }

  private ask(what: 'toggle' | 'leave'): void {
    this.dispatchEvent(new CustomEvent(`lab-room-${what}`, {bubbles: true, composed: true}));
  }

  private get address(): string {
    return `${location.origin}${location.pathname}#room=${this.room.code}`;
  }

  protected override render(): TemplateResult {
    const {room} = this, w = words.room, code = shown(room.code);
    const state = room.state === 'here' ? (room.host ? w.people(room.here) : room.following ? w.watching(room.here) : '') : room.state === 'joining' ? w.joining : room.state === 'lost' ? w.lost : w.over(room.reason);
    return html`<button type="button" class="btn line room-badge ${room.state === 'here' && room.agrees ? '' : 'trouble'}" data-pop="room" aria-haspopup="dialog" aria-expanded=${this.open} @click=${() => this.ask('toggle')}>
        <b class="room-code" dir="ltr">${code}</b><span aria-live="polite">${state}</span></button>
      ${!room.host && !room.following ? html`<button type="button" class="btn fill follow" aria-label=${w.follow.join('')} @click=${() => room.resume()}>${w.follow[0]}<span class="nobr">${w.follow[1]}</span></button>` : nothing}
      ${this.open ? this.panel(code) : nothing}`;
  }

  private panel(code: string): TemplateResult {
    const {room} = this, w = words.room;
    return html`<div class="menu pop share" role="dialog" aria-label=${w.title} tabindex="-1">
      <p class="soft">${w.code}</p><p class="room-large" dir="ltr">${code}</p>
      <lab-copy class="share-way join" .label=${w.joinLink} .text=${this.address}></lab-copy>
      ${room.host ? html`<lab-copy class="share-way host" secret .label=${w.hostLink} .text=${`${this.address}&host=${room.token}`}></lab-copy>` : nothing}
      <div class="share-way"><p><b class="strong">${w.people(room.here)}</b>${room.agree + room.differ ? html`, ${w.agree(room.agree, room.agree + room.differ)}` : nothing}</p>
        <p class="runs" aria-hidden="true">${Array.from({length: Math.min(40, room.here)}, (_, i) => html`<i class=${i < room.agree ? 'agrees' : ''}></i>`)}</p>
        ${room.differ ? html`<p class="wait-text">${w.differ(room.differ)}</p>` : nothing}
        ${room.clock?.digest ? html`<p class="small quiet">${w.digest}<code>${room.clock.digest.slice(0, 4)} ${room.clock.digest.slice(4, 8)}</code></p>` : nothing}
        <p class="small soft">${room.host ? w.host : w.viewer} ${w.end}</p></div>
      ${room.reason ? html`<p class="fault" role="alert">✕ ${room.reason}</p>` : nothing}
      <div class="share-way"><button type="button" class="btn line" @click=${() => this.ask('leave')}>${w.leave}</button> <span class="small soft">${w.leaveAbout}</span></div></div>`;
  }
}

define('lab-room', RoomPanel);
