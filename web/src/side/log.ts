// <lab-log>: the partition of __consumer_offsets that the group lives in, newest
// first. In ink what a new coordinator would load; older records fold, or go as
// they do in a compacted log.

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import type {LogRecord} from '../engine/types.ts';
import {seconds} from '../format.ts';
import {ink} from '../ink.ts';
import {Piece} from '../piece.ts';
import {memberNode} from '../engine/members.ts';
import {firstAfter, groupOf, stateAt} from '../run/look.ts';
import {words} from '../words.ts';
import {compacted, superseded} from './compact.ts';
import {record, schemas} from './record.ts';

/** Older records in a row that stay open at the top, and in the middle. */
const OPEN_TOP = 7;

type Item = LogRecord | {fold: LogRecord[]};

export class Log extends Piece {
  static override properties = {...Piece.properties, unfolded: {state: true}, compact: {state: true}, open: {state: true}};
  /** Only what compaction leaves. */
  declare compact: boolean;
  /** The offset of the record that is shown in full, -1 none. */
  declare open: number;
  /** Folds that were opened, by the offset of their newest record. */
  declare unfolded: Set<number>;

  constructor() {
    super();
    this.unfolded = new Set();
    this.compact = false;
    this.open = -1;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.run.logOf = -1;
  }

  /** The log of the group that is looked at comes with the View. */
  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const {run} = this, i = run.scenario?.groups.findIndex((g) => g.id === run.group) ?? -1;
    if (run.logOf === i) return;
    run.logOf = i;
    void run.look();
  }

  protected override render(): TemplateResult | typeof nothing {
    const {run} = this, log = run.view?.log;
    if (!log || !run.scenario) return nothing;
    const mine = run.scenario.groups.filter((g) => g.partition === log.partition).map((g) => g.id);
    const group = mine.includes(run.group) ? run.group : mine[0] ?? run.group;
    const w = words.log, all = log.records, kept = compacted(all), newer = superseded(all);
    const items = this.compact ? kept.slice().reverse() : this.items(all);
    return html`<h2>__consumer_offsets-${log.partition}</h2>
      <p class="small soft">${log.leader ? w.led(run.nameOf(log.leader), all.length) : w.unled}<br>${ink(run, w.hash(group, run.scenario.offsetsPartitions))}${log.partition}</p>
      <div class="log-view"><span class="seg" role="group" aria-label=${w.view}>${[false, true].map((c) => html`<button type="button" aria-pressed=${this.compact === c} @click=${() => (this.compact = c)}>${c ? w.compacted : w.whole}</button>`)}</span>
        <span class="small quiet" role="status">${this.compact ? w.kept(kept.length, all.length) : nothing}</span></div>
      <table class="log"><colgroup><col class="c1"><col><col class="c3"><col class="c4"></colgroup><thead><tr><th class="num">${w.offset}</th><th>${w.what}</th><th>${w.versions}</th><th class="num">${w.at}</th></tr></thead>
        <tbody>${this.ahead(group)}${items.map((i) => 'fold' in i ? this.fold(i.fold) : this.row(i, newer.get(i.offset)))}
        ${all.length ? nothing : html`<tr class="old"><td></td><td colspan="3">${w.empty}</td></tr>`}</tbody></table>
      ${all.length ? this.loads(all, group) : nothing}`;
  }

  /** The next group record, if nothing changes. */
  private ahead(group: string): TemplateResult | typeof nothing {
    const {run} = this;
    const next = firstAfter(run.events, run.now, (e) => e.kind === 'record-appended' && e.text === 'group' && e.group === group);
    if (!next?.generation) return nothing;
    return html`<tr class="next"><td class="num">${next.offset}</td><td colspan="2">${words.log.willStand(next.generation)}</td><td class="num">${seconds(next.at)}</td></tr>`;
  }

  private items(records: readonly LogRecord[]): Item[] {
    const out: Item[] = [];
    let older: LogRecord[] = [], seen = 0;
    const close = () => {
      const open = this.unfolded.has(older[0]?.offset ?? -1);
      if (older.length <= 2 || open) out.push(...older);
      else out.push({fold: older});
      older = [];
    };
    for (let i = records.length - 1; i >= 0; i--) {
      const r = records[i]!;
      if (r.current) {
        close();
        out.push(r);
      } else if (seen++ < OPEN_TOP) out.push(r);
      else older.push(r);
    }
    close();
    return out;
  }

  /** A record; its key and value open under it. */
  private row(r: LogRecord, newer: number | undefined): TemplateResult {
    const open = this.open === r.offset;
    return html`<tr class=${r.current ? 'live' : newer === undefined && r.tombstone ? 'tomb' : 'old'}><td class="num">${r.offset}</td><td>${r.key === 'marker' ? this.what(r) : html`<button type="button" aria-expanded=${open} @click=${() => (this.open = open ? -1 : r.offset)}>${this.what(r)}</button>`}</td>
        <td class="quiet">${schemas(r)}</td><td class="num quiet">${seconds(r.at)}</td></tr>
      ${open ? html`<tr class="full"><td colspan="4">${record(this.run, r, newer)}</td></tr>` : nothing}`;
  }

  private what(r: LogRecord): unknown {
    const {run} = this;
    const by = r.by ? html`<span class="quiet">${run.nameOf(r.by)}</span>` : nothing;
    if (r.key === 'offset') return html`<code>${r.partition}</code>${r.tombstone ? ` ${words.log.tombstone} ` : words.log.committed(r.committed ?? 0)}${by}`;
    if (r.key === 'marker') return words.log.marker;
    if (r.tombstone) return `group ${r.group}, ${words.log.tombstone}`;
    return words.log.group(r.generation ?? 0, r.by ? run.nameOf(r.by) : run.nameOf(memberNode(run.events, r.leader)) === 'nobody' ? '' : run.nameOf(memberNode(run.events, r.leader)));
  }

  private fold(all: LogRecord[]): TemplateResult {
    const what = all.every((r) => r.key === 'offset') ? words.log.commit : words.log.record;
    return html`<tr class="old"><td></td><td><button type="button" @click=${() => this.unfold(all[0]!.offset)}>${words.log.older(all.length, what)}</button></td><td></td><td></td></tr>`;
  }

  private unfold(offset: number): void {
    this.unfolded = new Set([...this.unfolded, offset]);
    this.closest<HTMLElement>('.panel')?.focus(); // the button goes away
  }

  private loads(records: readonly LogRecord[], group: string): TemplateResult {
    const {run} = this, live = records.filter((r) => r.current);
    const record = live.find((r) => r.key === 'group' && r.group === group && !r.tombstone);
    const names = (record?.members ?? []).map((m) => m.node ? run.nameOf(m.node) : m.id);
    const state = stateAt(run.picture ? groupOf(run.picture, group) : undefined, run.now)?.state ?? '';
    return html`<h3>${words.log.load}</h3><p class="small soft">${words.log.loads(live.length, records.length, state, record?.generation ?? 0, names.length > 8 ? [words.stage.membersCount(names.length)] : names)}</p>`;
  }
}

customElements.define('lab-log', Log);
