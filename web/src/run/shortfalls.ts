// What a scenario says and the run is not: commands that could not be carried
// out, expectations that do not hold.

import type {Picture} from '../engine/types.ts';
import {words} from '../words.ts';

export interface Shortfall {
  /** Of the text; 0 for what was done on the picture. */
  line: number;
  message: string;
}

export function shortfalls(picture: Picture): Shortfall[] {
  const commands = picture.branches.find((b) => b.id === picture.branch)?.commands ?? [];
  return [
    ...commands.filter((c) => c.error).map((c) => ({line: c.line, message: words.shortfall.notDone(c.line ? '' : c.text, c.error!)})),
    ...picture.failures.map((f) => ({line: f.line, message: words.shortfall.notTrue(f.text, f.got)})),
  ].sort((a, b) => a.line - b.line);
}
