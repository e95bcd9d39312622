// The two small menus of the bar.

import {html, type TemplateResult} from 'lit';
import {setTheme, themeNow, THEMES, type Theme} from '../theme.ts';
import {words} from '../words.ts';

/** The keys, and what else there is to read. */
export function help(open: (which: 'rules' | 'versions') => void): TemplateResult {
  return html`<div class="menu pop" role="dialog" aria-label=${words.help.title} tabindex="-1"><h2>${words.help.title}</h2>
    <dl>${words.help.keys.map(([key, does]) => html`<dt>${key.split(' ').map((k) => html`<kbd>${k}</kbd> `)}</dt><dd>${does}</dd>`)}</dl>
    <p class="more"><button type="button" class="btn" @click=${() => open('rules')}>${words.rules.title}<span class="key">r</span></button>
      <button type="button" class="btn" @click=${() => open('versions')}>${words.versions.title}<span class="key">v</span></button></p></div>`;
}

export function themes(done: () => void): TemplateResult {
  const now = themeNow();
  return html`<div class="menu pop themes" role="menu" aria-label=${words.bar.theme} tabindex="-1">${THEMES.map((t: Theme) => html`
    <button type="button" class="row" role="menuitemradio" aria-checked=${t === now} @click=${() => {
      setTheme(t);
      done();
    }}><span class="ic" aria-hidden="true">${t === now ? '•' : ''}</span><span>${words.bar.themes[t]}</span></button>`)}</div>`;
}
