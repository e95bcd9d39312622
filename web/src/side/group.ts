// <lab-group>: the group as its coordinator has it now.

import {html, nothing, svg, type TemplateResult} from 'lit';
import type {GroupView, MemberView, Timer, View, Wait} from '../engine/types.ts';
import {count, seconds, span} from '../format.ts';
import {token} from '../ink.ts';
import {Piece} from '../piece.ts';
import {lastBefore, lifeAt} from '../run/look.ts';
import {words} from '../words.ts';
import {machine} from './machine.ts';

/** More rows than this are counted, not listed. */
const MOST = 12;

export class Group extends Piece {
  protected override render(): TemplateResult | typeof nothing {
    const {run} = this, {view, picture} = run;
    if (!picture) return nothing;
    const g = view?.groups.find((g) => g.id === run.group);
    return html`${this.choice()}<h2>${run.group}</h2>
      ${g ? this.facts(g) : nothing}
      ${g ? machine(g.state, picture, g.id, run.now, run.wait, run.situation?.waited ?? [], (n) => run.nameOf(n)) : nothing}
      ${g ? html`${this.members(g, view!)}${this.timers(g)}${this.note(g)}` : nothing}`;
  }

  /** Only where there is more than one group. */
  private choice(): TemplateResult | typeof nothing {
    const all = this.run.scenario?.groups ?? [];
    if (all.length < 2) return nothing;
    return html`<select aria-label=${words.side.choose} @change=${(e: Event) => this.run.set({group: (e.target as HTMLSelectElement).value})}>
      ${all.map((g) => html`<option value=${g.id} ?selected=${g.id === this.run.group}>${words.side.choose} ${g.id}</option>`)}</select>`;
  }

  private facts(g: GroupView): TemplateResult {
    if (!g.state) return html`<p class="small soft">${g.available ? words.side.noGroup : words.side.away}<br>${words.side.hash}<code>__consumer_offsets-${g.partition}</code></p>`;
    return html`<p class="small soft">${words.side.facts(g.generation)}${g.protocol ? html`<code>${g.protocol}</code>` : words.side.noProtocol}${g.coordinator ? words.side.coordinator(this.run.nameOf(g.coordinator).replace(' ', '\u00a0')) : words.side.noCoordinator}
      <br>${words.side.hash}<code>__consumer_offsets-${g.partition}</code></p>`;
  }

  private members(g: GroupView, view: View): TemplateResult {
    const {run} = this;
    if (g.members.length > 40) return this.crowd(g, view);
    return html`<h3>${words.side.members} <span>${g.members.length ? words.side.sessionLeft : nothing}</span></h3>
      <table class="members"><tbody>${g.members.map((m) => html`<tr><td>${m.node ? token(run, m.node) : nothing}</td>
        <td class="what">${this.doing(m, view)}${g.leader === m.node && m.node && !m.isNew ? html` <span class="quiet">${words.side.leader}</span>` : nothing}${m.isNew ? html` <span class="quiet">${words.side.isNew}</span>` : nothing}</td>
        <td class="num ${this.blocks(g, m) && g.wait.config === 'session.timeout.ms' ? 'wait-text strong' : m.held && !m.isNew ? 'quiet' : ''}">${m.held && !m.isNew ? words.side.held : m.sessionDue === null ? nothing : span(m.sessionDue - view.at)}</td></tr>`)}
      ${g.members.length ? nothing : html`<tr><td class="quiet">${words.side.none}</td></tr>`}</tbody></table>
      ${g.pending.length ? html`<p class="small quiet">${words.side.pendingIds(g.pending.length)}</p>` : nothing}`;
  }

  /** Over forty members: by what they do. */
  private crowd(g: GroupView, view: View): TemplateResult {
    const {run} = this, groups = new Map<string, MemberView[]>();
    for (const m of g.members) {
      const key = this.silent(m, view) ? words.stage.doing['silent']! : m.joining ? words.side.joining : m.syncing ? words.side.syncing : words.stage.doing['reads']!;
      groups.set(key, [...groups.get(key) ?? [], m]);
    }
    const rows = [...groups].sort((a, b) => Number(this.blocks(g, b[1][0]!)) - Number(this.blocks(g, a[1][0]!)));
    return html`<h3>${words.side.byDoing} <span>${words.side.ofAll(g.members.length)}</span></h3><table class="members"><tbody>${rows.map(([key, all]) => {
      const blocks = all.some((m) => this.blocks(g, m)), held = all.filter((m) => m.held).length > all.length / 2;
      const due = Math.min(...all.map((m) => m.sessionDue ?? Infinity));
      return html`<tr><td class="num n3 strong ${blocks ? 'wait-text' : ''}">${count(all.length)}</td><td class="what">${key} ${all.length <= 4 ? html`<span class="quiet">${all.map((m) => run.nameOf(m.node)).join(', ')}</span>` : nothing}</td>
        <td class="num ${blocks ? 'wait-text strong' : 'quiet'}">${held ? words.side.held : Number.isFinite(due) ? span(due - view.at) : nothing}</td></tr>`;
    })}</tbody></table>`;
  }

  private blocks(g: GroupView, m: MemberView): boolean {
    if (g.wait.kind === 'none') return false;
    return (g.wait.member ? g.wait.member === m.id : g.wait.for === m.node) || Boolean(this.run.situation?.waited.includes(m.node));
  }

  private silent(m: MemberView, view: View): boolean {
    const life = m.node && this.run.picture ? lifeAt(this.run.picture, m.node, view.at) : 'up';
    return life === 'dead' || life === 'stopped';
  }

  private doing(m: MemberView, view: View): string {
    const s = words.side;
    if (this.silent(m, view)) return s.silent(m.sessionDue === null ? view.at : m.sessionDue - m.sessionTimeoutMs * 1000);
    if (m.joining) return s.joining;
    if (m.syncing) return s.syncing;
    const consumer = view.consumers.find((c) => c.node === m.node);
    if (consumer?.stalled) return s.stuck;
    if (m.awaitingSync) return s.awaiting;
    const g = view.groups.find((g) => g.members.includes(m));
    if (g?.state === 'PreparingRebalance') return s.rejoining;
    return s.reads(consumer?.assigned.length ?? m.assigned.length);
  }

  private timers(g: GroupView): TemplateResult {
    const {run} = this, w = run.wait;
    const all: (Timer & {count?: number})[] = [...g.timers];
    // The client's own timer, or the cluster's, may be the one that decides.
    if (w?.due && w.config && !all.some((t) => this.decides(w, t)) && w.config !== 'heartbeat.interval.ms') all.unshift({config: w.config, node: w.for, member: w.member, armed: w.since, due: w.due, held: false});
    const held = all.filter((t) => t.held);
    const rows = held.length > 8 ? all.filter((t) => !t.held || t === held[0]).map((t) => t === held[0] ? {...t, count: held.length} : t) : all;
    const shown = rows.slice(0, MOST);
    return html`<h3>${words.side.timers} <span>${all.length > shown.length ? words.side.inAll(all.length) : all.length ? words.side.byDue : nothing}</span></h3>
      ${shown.length ? html`<ul class="timers">${shown.map((t) => this.timer(g, t, Boolean(w && this.decides(w, t)), t.count ?? 0))}</ul>` : html`<p class="small quiet">${words.side.none}</p>`}`;
  }

  private decides(w: Wait, t: Timer): boolean {
    return w.config === t.config && (t.node === w.for ? t.due === w.due : t.node < 0 ? Boolean(this.run.situation?.waited.includes(t.node)) && !t.held : w.due === t.due);
  }

  private timer(g: GroupView, t: Timer, decides: boolean, many: number): TemplateResult {
    const {run} = this, at = run.view?.at ?? run.now;
    const part = t.due > t.armed ? Math.max(0, Math.min(1, (t.due - at) / (t.due - t.armed))) : 0;
    const isNew = t.config.startsWith('new member');
    const plainly = g.members.length > 40;
    const whose = many ? nothing : t.node < 0 ? plainly ? html`<b class="strong">${run.nameOf(t.node)}</b>` : token(run, t.node) : t.node > 0 ? t.config.length > 20 ? nothing : html`<span class="quiet">${run.nameOf(t.node)}</span>` : t.config.length > 24 ? nothing : html`<span class="quiet">${words.side.groupTimer}</span>`;
    return html`<li class=${decides ? 'first' : ''}><span>${many ? words.side.heldMany(many) : nothing}${isNew ? words.side.newMember : html`<code>${t.config}</code>`} ${whose}${t.held && !isNew && !many ? html` <span class="quiet">${words.side.held}</span>` : nothing}</span>
      <span class="num"><span class="quiet">${many ? words.side.heldFrom(t.due) : seconds(t.due)}</span>&ensp;${decides ? html`<b class="wait-text">${span(t.due - at)}</b>` : span(t.due - at)}</span>
      <svg class="bar-t" viewBox="0 0 296 4" preserveAspectRatio="none" aria-hidden="true">${svg`<rect class="track" width="296" height="4"/><rect class="fill" x=${296 * (1 - part)} width=${296 * part} height="4"/>`}</svg></li>`;
  }

  private note(g: GroupView): TemplateResult | typeof nothing {
    if (!g.members.some((m) => m.held)) return nothing;
    const fresh = g.members.filter((m) => m.isNew).map((m) => this.run.nameOf(m.node));
    return html`<p class="small quiet note">${words.side.heldNote}${fresh.length === 1 ? words.side.heldNew(fresh[0]!) : nothing}</p>`;
  }
}

export {lastBefore};
customElements.define('lab-group', Group);
