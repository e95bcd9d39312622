// <lab-text>: the text of the branch, as the language prints it.

import {html, type TemplateResult} from 'lit';
import {define, Piece} from '../piece.ts';

class Text extends Piece {
  static override properties = {...Piece.properties, text: {state: true}};
  declare text: string;
  private shown: unknown = null;

  constructor() {
    super();
    this.text = '';
  }

  protected override render(): TemplateResult {
    const {run} = this;
    if (run.picture && this.shown !== run.picture) {
      this.shown = run.picture;
      run.engine.text(run.branch).then((text) => (this.text = text), () => (this.text = run.text));
    }
    return html`<pre class="text"><code>${this.text}</code></pre>`;
  }
}

define('lab-text', Text);
