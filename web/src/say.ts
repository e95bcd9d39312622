// <lab-say>: the sentence of the page, and why it is so.

import {html, nothing, type TemplateResult} from 'lit';
import {inkPlain} from './ink.ts';
import {define} from './piece.ts';
import type {Situation} from './run/situation.ts';
import {Sentence} from './sentence.ts';
import {changedPast, reason, words} from './words.ts';

class Say extends Sentence {
  protected override head(content: unknown): TemplateResult {
    return html`<h1 class="head">${content}</h1>`;
  }

  protected override under(s: Situation): TemplateResult {
    const {run} = this, ours = run.branch === 1 ? run.picture!.digest.slice(0, run.shared.length) : run.shared;
    return html`${ours === run.shared ? nothing : html`<p class="wait-text" role="alert">${words.link.differs(run.shared, ours)}</p>`}
      <p class="reason ${run.news ? 'news' : ''}">${run.news ? html`<b class="strong">${changedPast(run.news.branch, run.news.kept)}</b>` : inkPlain(run, reason(s))}</p>`;
  }
}

define('lab-say', Say);
