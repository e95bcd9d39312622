// <lab-say>: the sentence of the page, and why it is so.

import {html, nothing, type TemplateResult} from 'lit';
import {inkPlain} from './ink.ts';
import type {Node} from './engine/types.ts';
import {define} from './piece.ts';
import {lastBefore} from './run/look.ts';
import {shortfalls} from './run/shortfalls.ts';
import type {SharedRun} from './run/shared.ts';
import type {Situation} from './run/situation.ts';
import {Sentence} from './sentence.ts';
import {changedPast, reason, words} from './words.ts';

class Say extends Sentence {
  declare run: SharedRun;

  protected override head(content: unknown): TemplateResult {
    return html`<h1 class="head">${content}</h1>`;
  }

  protected override under(s: Situation): TemplateResult {
    const {run} = this, ours = run.branch === 1 ? run.picture!.digest.slice(0, run.shared.length) : run.shared;
    const [short, ...more] = shortfalls(run.picture!);
    return html`${run.cut ? html`<p class="wait-text" role="alert">${words.link.cut}</p>` : nothing}
      ${ours === run.shared ? nothing : html`<p class="wait-text" role="alert">${words.link.differs(run.shared, ours)}</p>`}
      <p class="reason ${run.news ? 'news' : ''}">${run.news ? html`<b class="strong">${changedPast(run.news.branch, run.news.kept)}</b>` : inkPlain(run, reason(s, this.loaded(s)))}</p>
      ${short ? html`<p class="short wait-text">✕ ${words.shortfall.said(short.line, short.message, more.length)}</p>` : nothing}`;
  }

  /** The load with which the session of the one that is waited for began anew, after its end. */
  private loaded({group, now, wait, why}: Situation): {broker: Node; at: number} | undefined {
    if (!wait || why.fate !== 'killed' || wait.since <= why.at) return undefined;
    const e = lastBefore(this.run.events, now, (e) => e.kind === 'group-loaded' && e.group === group);
    return e?.node && e.at > why.at && Math.abs(e.at - wait.since) < 10_000 ? {broker: e.node, at: e.at} : undefined;
  }
}

define('lab-say', Say);
