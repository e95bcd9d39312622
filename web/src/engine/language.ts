// What the engine's parser says of a text. It needs a run's instance of the
// engine, but the run stays as it is. Lines and columns count from 1, columns
// in code points.

import type {Engine} from './client.ts';
import type {Check, Completion, Hint} from './types.ts';

export class Language {
  constructor(private readonly engine: Engine) {}

  /** What every piece of a text is, and what is wrong with it. */
  async check(text: string): Promise<Check> {
    return (await this.engine.ask<'check'>({ask: 'check', text})).check;
  }

  /** What can stand at a place. */
  async complete(text: string, line: number, column: number): Promise<Completion[]> {
    return (await this.engine.ask<'complete'>({ask: 'complete', text, line, column})).list;
  }

  /** What stands at a place. */
  async hover(text: string, line: number, column: number): Promise<Hint | null> {
    return (await this.engine.ask<'hover'>({ask: 'hover', text, line, column})).hint;
  }

  /** The text as the printer writes it. */
  async format(text: string): Promise<string> {
    return (await this.engine.ask<'format'>({ask: 'format', text})).text;
  }
}
