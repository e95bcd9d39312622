// <lab-say>: the sentence. It is true at the playhead in every frame; what is
// spoken follows at most once a second, so that playing does not flood a reader.

import {html, nothing, type TemplateResult} from 'lit';
import {ink, inkPlain} from './ink.ts';
import {Piece} from './piece.ts';
import {situation, type Situation} from './run/situation.ts';
import {changedPast, headline, plain, reason, words} from './words.ts';

export class Say extends Piece {
  static override properties = {...Piece.properties, spoken: {state: true}};
  declare spoken: string;

  private timer = 0;

  constructor() {
    super();
    this.spoken = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.className = 'say';
  }

  protected override render(): TemplateResult | typeof nothing {
    const {run} = this;
    if (!run.picture || !run.scenario) return html`<h1>${run.loading ? words.trouble.playing : nothing}</h1>`;
    const s = sentenceOf(run.picture, run.scenario, run.group, run.now);
    const head = headline(s);
    this.speak(run.news ? changedPast(run.news.branch, run.news.kept) : plain(head, (n) => run.nameOf(n)));
    return html`<h1>${ink(run, head)}</h1>
      <p>${run.news ? html`<b class="strong">${changedPast(run.news.branch, run.news.kept)}</b> ` : nothing}${inkPlain(run, reason(s))}</p>
      <p class="away" role="status" aria-live="polite">${this.spoken}</p>`;
  }

  /** The newest sentence, at most once a second, and only when its words changed. */
  private speak(text: string): void {
    if (this.timer || text === this.spoken) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      const {run} = this;
      if (!run.picture || !run.scenario || run.playing) return;
      this.spoken = run.news ? changedPast(run.news.branch, run.news.kept) : plain(headline(sentenceOf(run.picture, run.scenario, run.group, run.now)), (n) => run.nameOf(n));
    }, 1000);
  }
}

let last: {key: unknown[]; value: Situation} | null = null;

/** The situation is asked for several times a frame; it is worked out once. */
export function sentenceOf(...key: Parameters<typeof situation>): Situation {
  if (!last || key.some((k, i) => k !== last!.key[i])) last = {key, value: situation(...key)};
  return last.value;
}

customElements.define('lab-say', Say);
