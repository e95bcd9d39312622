// The engine counts lines and columns from 1, columns in code points;
// CodeMirror counts UTF-16 units from the start of the text.

import type {Text} from '@codemirror/state';

/** The offset of a place; the end of its line when the column is behind it. */
export function offsetOf(doc: Text, line: number, column: number): number {
  const {from, text} = doc.line(Math.min(Math.max(1, line), doc.lines));
  let at = 0;
  for (let i = 1; i < column && at < text.length; i++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return from + at;
}

export function placeOf(doc: Text, offset: number): {line: number; column: number} {
  const {number, from, text} = doc.lineAt(offset);
  return {line: number, column: [...text.slice(0, offset - from)].length + 1};
}
