// What the lanes show now, for those who do not see them.

import {html, type TemplateResult} from 'lit';
import {guard} from 'lit/directives/guard.js';
import {laneName, spanAt} from '../run/look.ts';
import type {Run} from '../run/run.ts';
import {words} from '../words.ts';
import {lanesOf} from './rows.ts';

export function table(run: Run): TemplateResult {
  const lanes = run.picture ? lanesOf(run.picture, run.group) : [];
  return html`<table class="away"><caption>${words.picture.table}</caption><thead><tr><th>${words.picture.partition}</th><th>${words.picture.reader}</th><th>${words.picture.onRecord}</th></tr></thead>
    <tbody>${guard([run.picture, run.group, Math.floor(run.now / 1e6)], () => lanes.slice(0, 200).map((l) => {
      const s = spanAt(l.spans, run.now);
      return html`<tr><th scope="row">${laneName(l)}</th><td>${s?.state === 'reads' ? run.nameOf(s.reader) : words.picture.nobody}</td><td>${s?.owner ? run.nameOf(s.owner) : words.picture.nobody}</td></tr>`;
    }))}</tbody></table>`;
}
