// <lab-events>: what happened around the playhead, by moments, each event with
// its cause. A cause can be followed to the command that began it.

import {html, nothing, type TemplateResult} from 'lit';
import type {EngineEvent} from '../engine/types.ts';
import {memberNode} from '../engine/members.ts';
import {moment, seconds} from '../format.ts';
import {token} from '../ink.ts';
import {Piece} from '../piece.ts';
import {chain, eventByNumber} from '../run/look.ts';
import {caption, causeOf, eventLine, subject, words, type Names} from '../words.ts';
import {because} from './because.ts';
import {BrokerLog} from './brokerlog.ts';
import {routine} from './routine.ts';

/** Events that are drawn on each side of the playhead. */
const BEFORE = 80, AFTER = 40;
/** Before the event that a line of a log leads to: it stands near the top. */
const BEFORE_FOUND = 6;

/** A moment of one subject; or routine events that were only counted. */
interface Moment {
  at: number;
  who: number;
  events: EngineEvent[];
  /** Numbers that were left out before this moment. */
  gap: [from: number, to: number, since: number, until: number] | null;
}

export class Events extends Piece {
  static override properties = {...Piece.properties, query: {state: true}, opened: {state: true}};
  declare query: string;
  /** Gaps that were opened, by their first number. */
  declare opened: Set<number>;

  private readonly log = new BrokerLog(this);
  private shownAt = '';
  private pickedBefore = 0;

  constructor() {
    super();
    this.query = '';
    this.opened = new Set();
  }

  private get names(): Names {
    const {run} = this, events = run.events;
    return {name: (n) => run.nameOf(n), member: (id) => memberNode(events, id)};
  }

  protected override render(): TemplateResult | typeof nothing {
    const {run} = this, names = this.names;
    const picked = run.picked ? chain(run.events, run.picked, (n) => routine(run, n)) : [];
    const inChain = new Set(picked.map((e) => e.n));
    const here = run.events[run.here]?.n ?? 0;
    const found = this.window(names), at = run.events[run.here]?.at;
    return html`<div class="find"><label class="quiet" for="find">${words.events.find}</label>
        <input id="find" type="search" autocomplete="off" spellcheck="false" placeholder=${words.events.placeholder} .value=${this.query}
          @input=${(e: Event) => this.find((e.target as HTMLInputElement).value)} @paste=${this.paste} @keydown=${this.findKey}><span class="key" aria-hidden="true">/</span>
        <span class="seg"><button type="button" aria-pressed=${this.log.shown} title=${words.loglines.title} @click=${() => this.log.toggle()}>${words.loglines.toggle}</button></span></div>
      ${this.log.status()}
      ${picked.length ? this.why(picked, names) : nothing}
      <table class="evs ${inChain.size ? 'why' : ''}"><colgroup><col class="c1"><col><col class="c3"></colgroup><tbody>${this.moments(found, names).map((m) => html`${m.gap ? this.gap(m.gap) : nothing}
        <tr class="hd ${m.at > run.now ? 'next' : ''}"><td colspan="3"><b>${moment(m.at)}</b>&ensp;${m.who ? token(run, m.who) : nothing}${m.at > run.now ? html`&ensp;<span class="quiet">${words.events.ifNothing}</span>` : nothing}</td></tr>
        ${m.events.map((e) => [this.row(e, names, here, inChain), e.at === at || e.n === run.picked || this.query ? this.reason(e, names) : nothing, this.log.rows(e)])}`)}</tbody></table>
      ${found.length ? html`<p class="small quiet note">${words.events.cause}</p>` : html`<p class="small quiet">${words.events.none}</p>`}`;
  }

  /** Around the playhead, or all that have the words that one looks for. */
  private window(names: Names): EngineEvent[] {
    const {run} = this, all = run.events;
    const query = this.query.trim().toLowerCase();
    const mine = all.filter((e) => !e.group || e.group === run.group);
    if (query && !this.log.found) {
      return mine.filter((e) => `${e.n} ${e.kind} ${e.api ?? ''} ${e.error ?? ''} ${e.config ?? ''} ${e.rule ?? ''} ${e.guard ?? ''} ${names.name(subject(e, names))} ${eventLine(e, names)} ${e.kind === 'timer-fired' ? words.time.expires('') : ''} ${(e.at / 1e6).toFixed(1)} s ${this.log.linesOf(e).map((p) => p.line).join(' ')}`.toLowerCase().includes(query)).slice(0, 200);
    }
    const i = mine.findLastIndex((e) => e.at <= run.now);
    const found = this.log.found ? mine.findIndex((e) => e.n === run.picked) : -1;
    return mine.slice(Math.max(0, found < 0 ? i - BEFORE : found - BEFORE_FOUND), i + AFTER);
  }

  /** Bursts of 20 ms, by subject: a question, its answer and what follows stand together. */
  private moments(events: readonly EngineEvent[], names: Names): Moment[] {
    const out: Moment[] = [];
    let burst: Moment[] = [], home = new Map<number, Moment>(), start = -Infinity;
    let before: EngineEvent | undefined;
    for (const e of events) {
      if (e.at - start > 20_000) {
        burst = [];
        home = new Map();
        start = e.at;
      }
      const who = subject(e, names);
      // What a broker does because of somebody stands with that one.
      const moment = (who > 0 ? home.get(e.cause) : undefined) ?? burst.find((m) => m.who === who) ?? {at: e.at, who, events: [], gap: null};
      if (!moment.events.length) {
        burst.push(moment);
        out.push(moment);
        if (before && e.n > before.n + 1 && !this.query) moment.gap = [before.n + 1, e.n - 1, before.at, e.at];
      }
      moment.events.push(e);
      home.set(e.n, moment);
      if (!before || e.n > before.n) before = e;
    }
    return out;
  }

  /** Routine events of a gap: on demand, the engine plays that window again. */
  private gap([from, to, since, until]: NonNullable<Moment['gap']>): TemplateResult {
    const {run} = this, open = this.opened.has(from);
    const all = open ? run.detail(since, until + 1).filter((e) => e.n >= from && e.n <= to) : [];
    return html`<tr class="hd"><td colspan="3"><button type="button" class="quiet" aria-expanded=${open} @click=${() => this.open(from)}>${open ? '▾' : '▸'} ${words.events.counted(from, to)}</button></td></tr>
      ${all.slice(0, 120).map((e) => html`<tr><td class="num quiet">${e.n}</td><td>${run.nameOf(subject(e, this.names))} ${eventLine(e, this.names)}</td><td class="num quiet">${seconds(e.at)}</td></tr>`)}
      ${all.length > 120 ? html`<tr><td></td><td class="quiet">${words.events.more(all.length - 120)}</td><td></td></tr>` : nothing}`;
  }

  private open(from: number): void {
    const next = new Set(this.opened);
    if (!next.delete(from)) next.add(from);
    this.opened = next;
  }

  private row(e: EngineEvent, names: Names, here: number, inChain: Set<number>): TemplateResult {
    const {run} = this;
    const kind = [e.kind === 'command' ? 'cmd' : e.kind === 'group-state' ? 'state' : '', e.n === here ? 'here' : '', inChain.has(e.n) ? 'chain' : '', e.n === run.picked ? 'picked' : ''].join(' ');
    const line = eventLine(e, names);
    const known = e.cause && eventByNumber(run.events, e.cause);
    return html`<tr class=${kind} data-n=${e.n}><td class="num quiet">${e.n}</td><td title=${line}><button type="button" @click=${() => this.go(e)}>${line}</button></td>
      <td class="num quiet">${known ? html`<button type="button" aria-label=${words.events.causeNumber(e.cause)} @click=${() => this.cause(e, known)}>${causeOf(e)}</button>` : e.kind === 'command' || !e.cause ? causeOf(e) : html`<span title=${words.events.timer}>← ${e.cause}</span>`}</td></tr>`;
  }

  /** Under what happened in this moment, and what somebody looks for. */
  private reason(e: EngineEvent, names: Names): TemplateResult | typeof nothing {
    return e.rule ? html`<tr class="said"><td></td><td colspan="2">${because(e, names)}</td></tr>` : nothing;
  }

  private go(e: EngineEvent): void {
    this.run.stop();
    this.run.seek(e.at);
  }

  /** Shows the whole chain of an event and goes to its cause. */
  private cause(e: EngineEvent, cause: EngineEvent): void {
    this.run.stop();
    this.run.set({picked: e.n});
    this.run.seek(cause.at);
  }

  private why(events: EngineEvent[], names: Names): TemplateResult {
    const {run} = this;
    // Long chains keep their beginning and their root.
    const shown = events.length > 9 ? [...events.slice(0, 7), ...events.slice(-1)] : events;
    return html`<h3 aria-level="2">${words.events.whyHead(events[0]!.n)} <span><button type="button" class="why-close" @click=${() => {
      run.set({picked: 0});
      this.rest();
    }}>${words.events.closeWhy}</button></span></h3>
      <ol class="why-list">${shown.map((e, i) => html`<li class=${i === shown.length - 1 ? 'root' : ''}><span class="n">${i + 1}</span>
        ${i === 7 && events.length > 9 ? html`<span class="quiet">${words.events.more(events.length - 8)}</span><br>` : nothing}
        <span class="quiet">${seconds(e.at)}</span> <button type="button" @click=${() => this.go(e)}>${caption(e, names)}</button>${because(e, names)}</li>`)}</ol>`;
  }

  /** Where the focus goes from something that is no longer there. */
  private rest(): void {
    this.closest<HTMLElement>('.panel')?.focus();
  }

  private find(query: string): void {
    this.query = query;
    void this.log.look(query);
  }

  /** A field of one line would run several into one. */
  private paste(e: ClipboardEvent): void {
    const text = e.clipboardData?.getData('text/plain') ?? '';
    if (!text.trim().includes('\n')) return;
    e.preventDefault();
    this.find(text.trim());
  }

  private findKey(e: KeyboardEvent): void {
    if (e.key === 'Enter') this.log.next();
    if (e.key !== 'Escape') return;
    this.find('');
    e.preventDefault();
    e.stopPropagation();
    this.rest();
  }

  /** Keeps the event under the playhead in sight. */
  protected override updated(): void {
    const {run} = this;
    if (run.picked !== this.pickedBefore) {
      this.pickedBefore = run.picked;
      if (run.picked) this.closest('.panel')?.scrollTo(0, 0); // the chain stands at the top
    }
    const shownAt = `${run.now} ${this.log.ready}`;
    if (this.query || run.picked || this.shownAt === shownAt) return;
    this.shownAt = shownAt;
    const panel = this.closest('.panel'), row = this.querySelector<HTMLElement>('.here');
    if (!panel || !row) return;
    // What comes next stays in sight below it.
    const y = row.getBoundingClientRect().top - panel.getBoundingClientRect().top;
    if (y < 80 || y > panel.clientHeight * 0.8) panel.scrollTop += y - panel.clientHeight * 0.7;
  }
}

customElements.define('lab-events', Events);
