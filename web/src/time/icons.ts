// The buttons of the transport.

import {html, type TemplateResult} from 'lit';
import {words} from '../words.ts';

const ICONS = {previous: 'M11 3v10L4 8z', play: 'M4 2.5v11l9-5.5z', pause: 'M4 3h3v10H4zM9 3h3v10H9z', next: 'M5 3v10l7-5z'};

export function icon(which: keyof typeof ICONS, action: () => void, kind = ''): TemplateResult {
  return button(words.time[which], ICONS[which], action, kind);
}

export function button(label: string, path: string, action: () => void, kind = ''): TemplateResult {
  return html`<button type="button" class="btn icon ${kind}" aria-label=${label} title=${label} @click=${action}><svg viewBox="0 0 16 16" aria-hidden="true"><path d=${path}/></svg></button>`;
}
