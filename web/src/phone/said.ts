// The line of the event under the playhead, and the way to all of them.

import {html, type TemplateResult} from 'lit';
import {seconds} from '../format.ts';
import type {Run} from '../run/run.ts';
import {loudest} from '../time/caption.ts';
import {words} from '../words.ts';

export function said(run: Run, open: boolean, toggle: () => void): TemplateResult {
  const told = loudest(run);
  return html`<p class="burst"><span>${told ? html`<b class="strong">${seconds(told.event.at)}</b>&ensp;${told.text}` : words.time.before}</span>
    <button type="button" class="btn" aria-expanded=${open} @click=${toggle}>${words.phoneTabs.events}</button></p>`;
}
