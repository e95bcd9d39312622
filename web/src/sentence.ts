// <lab-sentence>: whom the group waits for. It is true at the playhead in every
// frame; what is spoken follows at most once a second, so that playing does not
// flood a reader.

import {html, nothing, type TemplateResult} from 'lit';
import {ink} from './ink.ts';
import {define, Piece} from './piece.ts';
import type {Situation} from './run/situation.ts';
import {changedPast, headline, plain, words} from './words.ts';

export class Sentence extends Piece {
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
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
    clearTimeout(this.timer);
    this.timer = 0;
  }

  protected override render(): TemplateResult | typeof nothing {
    const {run} = this;
    const s = run.situation;
    if (!s) return this.head(run.loading ? words.trouble.playing : nothing);
    const head = headline(s);
    this.speak(run.news ? changedPast(run.news.branch, run.news.kept) : plain(head, (n) => run.nameOf(n)));
    return html`${this.head(ink(run, head))}${this.under(s)}<p class="away" role="status" aria-live="polite">${this.spoken}</p>`;
  }

  /** Inside of another page it is no heading of that page. */
  protected head(content: unknown): TemplateResult {
    return html`<p class="head">${content}</p>`;
  }

  protected under(_: Situation): unknown {
    return nothing;
  }

  private tallest = 0;
  private measured = '';

  /** A sentence that once took two lines keeps their room: the picture under it stays where it is. Asking for the height in a frame would lay out the page twice. */
  private readonly observer = new ResizeObserver(() => {
    const {run} = this, key = `${run.name}/${this.clientWidth}`;
    if (key !== this.measured) {
      this.measured = key;
      this.tallest = 0;
      this.style.minHeight = '';
    }
    // A sentence that the engine has not confirmed yet may be longer than the true one.
    if (run.view?.at !== run.now || this.offsetHeight <= this.tallest) return;
    this.tallest = this.offsetHeight;
    this.style.minHeight = `${this.tallest}px`;
  });

  /** The newest sentence, at most once a second, and only when its words changed. */
  private speak(text: string): void {
    if (this.timer || text === this.spoken) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      const {run} = this;
      if (!run.situation || run.playing) return;
      this.spoken = run.news ? changedPast(run.news.branch, run.news.kept) : plain(headline(run.situation), (n) => run.nameOf(n));
    }, 1000);
  }
}

define('lab-sentence', Sentence);
