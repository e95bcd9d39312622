// What is wrong stands below its line, with what was meant as a button.

import {StateEffect, StateField, type EditorState, type Extension, type Range} from '@codemirror/state';
import {Decoration, EditorView, keymap, WidgetType, type DecorationSet} from '@codemirror/view';
import type {Diagnostic} from '../engine/types.ts';
import {words} from '../words.ts';
import {offsetOf} from './place.ts';

/** As many stand below their lines; the others are only marked. */
const SHOWN = 5;

export const setFaults = StateEffect.define<Diagnostic[]>();

interface Faults {
  list: Diagnostic[];
  marks: DecorationSet;
}

const faults = StateField.define<Faults>({
  create: () => ({list: [], marks: Decoration.none}),
  update(value, transaction) {
    let next = transaction.docChanged ? {list: value.list, marks: value.marks.map(transaction.changes)} : value;
    for (const effect of transaction.effects) if (effect.is(setFaults)) next = {list: effect.value, marks: draw(transaction.state, effect.value)};
    return next;
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.marks),
});

function draw(state: EditorState, list: Diagnostic[]): DecorationSet {
  const out: Range<Decoration>[] = [];
  list.forEach((d, i) => {
    const from = offsetOf(state.doc, d.line, d.column), to = offsetOf(state.doc, d.line, d.endColumn), line = state.doc.lineAt(from);
    out.push(Decoration.line({class: 'bad'}).range(line.from));
    if (from < to) out.push(Decoration.mark({class: 'err'}).range(from, to));
    if (i < SHOWN) out.push(Decoration.widget({widget: new Fault(d), block: true, side: 1}).range(line.to));
  });
  return Decoration.set(out, true);
}

class Fault extends WidgetType {
  constructor(private readonly d: Diagnostic) {
    super();
  }

  override eq(other: Fault): boolean {
    return JSON.stringify(this.d) === JSON.stringify(other.d);
  }

  override toDOM(view: EditorView): HTMLElement {
    const {d} = this, dom = element('div', 'fix');
    dom.append(element('span', 'ln-mark', '✕'));
    const body = dom.appendChild(element('div', ''));
    const said = d.meant ? d.message.replace(`; did you mean ${d.meant}?`, '') : d.message;
    body.append(element('b', '', `${words.editor.at(d.line, d.column)} ${said}.`));
    if (!d.meant) return dom;
    const more = body.appendChild(element('div', ''));
    more.append(words.editor.meant, element('code', '', d.meant), '?', d.about ? ` ${capital(d.about)}.` : '');
    const row = body.appendChild(element('div', 'fixrow')), button = element('button', 'btn fill', words.editor.write(d.meant)) as HTMLButtonElement;
    button.type = 'button';
    button.onclick = () => mend(view, d);
    row.append(button, element('span', 'key', words.editor.mendKey));
    return dom;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function element(tag: string, className: string, text = ''): HTMLElement {
  const e = document.createElement(tag);
  e.className = className;
  e.textContent = text;
  return e;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Writes what was meant. */
function mend(view: EditorView, d: Diagnostic): void {
  const {doc} = view.state, from = offsetOf(doc, d.line, d.column), to = offsetOf(doc, d.line, d.endColumn);
  view.dispatch({changes: {from, to, insert: d.meant!}, selection: {anchor: from + d.meant!.length}, userEvent: 'input.mend', scrollIntoView: true});
  view.focus();
}

/** Alt Enter: what was meant on this line, else in the first place. */
function mendHere(view: EditorView): boolean {
  const line = view.state.doc.lineAt(view.state.selection.main.head).number;
  const all = view.state.field(faults).list.filter((d) => d.meant);
  const d = all.find((f) => f.line === line) ?? all[0];
  if (d) mend(view, d);
  return Boolean(d);
}

export const faultMarks: Extension = [faults, keymap.of([{key: 'Alt-Enter', run: mendHere}])];
