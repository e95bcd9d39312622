// The line of the event under the playhead.

import {html, type TemplateResult} from 'lit';
import {seconds} from '../format.ts';
import type {Run} from '../run/run.ts';
import {loudest} from '../time/caption.ts';
import {words} from '../words.ts';

export function said(run: Run): TemplateResult {
  const told = loudest(run);
  return html`<p class="burst">${told ? html`<b class="strong">${seconds(told.event.at)}</b>&ensp;${told.text}` : words.time.before}</p>`;
}
