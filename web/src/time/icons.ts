// The buttons of the transport.

import {html, type TemplateResult} from 'lit';
import {words} from '../words.ts';

const ICONS = {
  first: 'M3 3h2v10H3zM13 3v10L6 8z', previous: 'M11 3v10L4 8z', play: 'M4 2.5v11l9-5.5z', pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  next: 'M5 3v10l7-5z', last: 'M11 3h2v10h-2zM3 3v10l7-5z',
};

export function icon(which: keyof typeof ICONS, action: () => void, kind = ''): TemplateResult {
  return html`<button type="button" class="btn icon ${kind}" aria-label=${words.time[which]} title=${words.time[which]} @click=${action}><svg viewBox="0 0 16 16" aria-hidden="true"><path d=${ICONS[which]}/></svg></button>`;
}
