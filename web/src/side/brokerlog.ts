// The broker's log beside the events: the lines that an event stands for, and
// the way from a line of somebody's own log to its moment. Texts and code of it
// come when they are asked for.

import {html, nothing, type TemplateResult} from 'lit';
import type {EngineEvent} from '../engine/types.ts';
import type {Found} from '../loglines/loglines.ts';
import type {Printed} from '../loglines/print.ts';
import type {Run} from '../run/run.ts';
import {words} from '../words.ts';

/** Shorter texts are no line of a log. */
const SHORTEST = 12;

export class BrokerLog {
  /** Whether the events are shown as lines. */
  shown = false;
  /** The line that stands in the search field. */
  found: Found | null = null;

  private module: typeof import('../loglines/loglines.ts') | null = null;
  private text = '';
  private events: readonly EngineEvent[] = [];
  private at = 0;
  private copied = '';

  constructor(private readonly host: {run: Run; requestUpdate(): void}) {}

  private async load(): Promise<void> {
    this.module ??= await import('../loglines/loglines.ts');
  }

  toggle(): void {
    this.shown = !this.shown;
    this.host.requestUpdate();
    void this.load().then(() => this.host.requestUpdate());
  }

  /** Whether the lines are there to be seen. */
  get ready(): boolean {
    return this.shown && Boolean(this.module);
  }

  /** What the broker prints of an event. */
  linesOf(e: EngineEvent): readonly Printed[] {
    return this.shown && this.module?.linesOf(this.host.run, e) || [];
  }

  /** Goes to the moment of a line, if the text is one. */
  async look(text: string): Promise<void> {
    this.text = text;
    if (text.trim().length >= SHORTEST) await this.load();
    if (text !== this.text) return; // somebody has typed on
    this.search();
    if (this.found?.hits.length) this.go(Math.max(0, this.found.hits.findIndex((h) => h.event.at > this.host.run.now)));
    this.host.requestUpdate();
  }

  private search(): void {
    this.events = this.host.run.events;
    this.found = this.module && this.text.trim().length >= SHORTEST ? this.module.lookUp(this.host.run, this.text) : null;
  }

  /** The next place where the line may stand. */
  next(): void {
    const n = this.found?.hits.length ?? 0;
    if (n) this.go((this.at + 1) % n);
  }

  private go(i: number): void {
    const {run} = this.host, {event} = this.found!.hits[i]!;
    this.at = i;
    run.stop();
    run.seek(event.at);
    run.set({picked: event.n, ...event.group ? {group: event.group} : {}});
  }

  /** What the line in the field says, and where it stands. */
  status(): TemplateResult {
    if (this.found && this.events !== this.host.run.events) this.search(); // another branch
    const {found} = this, w = words.loglines;
    const text = () => {
      const {reading, hits} = found!, says = w.says[reading.template.id]?.(reading.facts) ?? reading.message;
      const since = reading.era === 'newer' ? reading.template.since : reading.template.until ?? '';
      const era = w.era(reading.era, since.replace(/(\.0)+$/, ''));
      if (!hits.length) return w.none(says, era);
      const i = this.at % hits.length, {group, member} = this.module!.otherNames(reading, hits[i]!);
      return w.here(says, era, i + 1, hits.length, group, member);
    };
    return html`<p class="small found" role="status">${found ? html`${text()} ${found.hits.length > 1 ? html`<button type="button" @click=${() => this.next()}>${w.next}</button>` : nothing}` : nothing}</p>`;
  }

  /** The lines under an event. */
  rows(e: EngineEvent): TemplateResult[] {
    const w = words.loglines;
    return this.linesOf(e).map((p) => html`<tr class="line ${p.level === 'DEBUG' || p.level === 'TRACE' ? 'faint' : ''}"><td></td><td colspan="2" title=${p.line}><code>${p.level} ${p.prefix}${p.message}</code>
      <button type="button" aria-label=${w.copyLine(p.message)} @click=${() => this.copy(p.line)}>${this.copied === p.line ? w.copied : w.copy}</button></td></tr>`);
  }

  private async copy(line: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(line);
      this.copied = line;
    } catch {
      this.copied = ''; // no clipboard without https: the line can be selected
    }
    this.host.requestUpdate();
  }
}
