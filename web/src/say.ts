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
    const {run} = this;
    return html`${run.differs ? html`<p class="wait-text" role="alert">${words.link.differs(run.differs.theirs, run.differs.ours)}</p>` : nothing}
      <p class="reason ${run.news ? 'news' : ''}">${run.news ? html`<b class="strong">${changedPast(run.news.branch, run.news.kept)}</b>` : inkPlain(run, reason(s))}</p>`;
  }
}

define('lab-say', Say);
