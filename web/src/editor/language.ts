// What the engine's parser knows, as CodeMirror wants it: the kind of every
// piece, what can stand at a place, what stands there. There is no grammar here.

import {autocompletion, type CompletionContext, type CompletionResult} from '@codemirror/autocomplete';
import {StateEffect, StateField, type Extension, type Range, type Text} from '@codemirror/state';
import {Decoration, EditorView, hoverTooltip, type DecorationSet} from '@codemirror/view';
import type {Language} from '../engine/language.ts';
import {TOKENS, type Hint} from '../engine/types.ts';
import {words} from '../words.ts';
import {offsetOf, placeOf} from './place.ts';

/** New kinds for the pieces of the text. */
export const setTokens = StateEffect.define<number[]>();

const marks = TOKENS.map((kind) => Decoration.mark({class: `tok-${kind}`}));

const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    // Until the engine has read the change, the kinds move with their words.
    let next = set.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(setTokens)) next = Decoration.set(ranges(transaction.newDoc, effect.value));
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function ranges(doc: Text, tokens: number[]): Range<Decoration>[] {
  const out: Range<Decoration>[] = [];
  for (let i = 0; i + 3 < tokens.length; i += 4) {
    const from = offsetOf(doc, tokens[i]!, tokens[i + 1]!), to = offsetOf(doc, tokens[i]!, tokens[i + 2]!);
    const mark = marks[tokens[i + 3]!];
    if (mark && from < to) out.push(mark.range(from, to));
  }
  return out;
}

export function language(reader: Language): Extension {
  return [
    colours,
    autocompletion({override: [(context) => complete(reader, context)], icons: false, aboveCursor: false}),
    hoverTooltip(async (view, at) => {
      const {line, column} = placeOf(view.state.doc, at);
      const hint = await reader.hover(view.state.doc.toString(), line, column);
      if (!hint) return null;
      return {
        pos: offsetOf(view.state.doc, line, hint.column), end: offsetOf(view.state.doc, line, hint.endColumn),
        create: () => ({dom: card(hint)}),
      };
    }, {hideOnChange: true}),
  ];
}

/** The word left of the cursor; one in double quotes may have blanks. */
const WORD = /(?:"(?:[^"\\]|\\.)*"?|[^\s"])*$/;

async function complete(reader: Language, context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(WORD);
  if (!context.explicit && !word?.text) return null;
  const {line, column} = placeOf(context.state.doc, context.pos);
  // What is written already is no suggestion: Enter begins the next line.
  const list = (await reader.complete(context.state.doc.toString(), line, column)).filter((c) => c.text !== word?.text);
  if (context.aborted || !list.length) return null;
  return {
    from: word?.from ?? context.pos,
    filter: false,
    options: list.map(({text, detail}) => ({
      label: text, detail, apply: text,
      info: words.meanings[text.replace(/=.*/, '')] || undefined,
    })),
  };
}

/** What hovering shows: the name, how it is written or what it defaults to, and what it is for. */
function card(hint: Hint): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'hint';
  const head = dom.appendChild(document.createElement('p'));
  head.appendChild(document.createElement('code')).textContent = hint.name;
  head.append(` ${words.editor.kind[hint.kind]}`);
  for (const text of [hint.kind === 'line' || hint.kind === 'command' ? `${hint.name} ${hint.usage}` : hint.usage, words.meanings[hint.name]]) {
    if (text) dom.appendChild(document.createElement('p')).textContent = text;
  }
  return dom;
}
