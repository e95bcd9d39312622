// <lab-editor>: the text of the branch that is shown. What is right is run: it
// becomes a branch. While something is wrong the last run stays.

import {closeBrackets, completionStatus} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyField, historyKeymap, isolateHistory} from '@codemirror/commands';
import {EditorState, Transaction} from '@codemirror/state';
import {drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers} from '@codemirror/view';
import {html, type TemplateResult} from 'lit';
import sheet from '../style/editor.css?inline';
import {Refusal, type Engine} from '../engine/client.ts';
import {Language} from '../engine/language.ts';
import type {Diagnostic, Picture} from '../engine/types.ts';
import {count} from '../format.ts';
import {textOf} from '../link/of.ts';
import {define, Piece} from '../piece.ts';
import {edit} from '../run/edit.ts';
import type {SharedRun} from '../run/shared.ts';
import {shortfalls} from '../run/shortfalls.ts';
import {words} from '../words.ts';
import {faultMarks, setFaults} from './faults.ts';
import {language, setTokens} from './language.ts';

/** After so long without a key, what is half written is called wrong, ms. */
const PATIENCE = 600;
/** After so long what is right is played; in a room, where every text is kept, ms. */
const REST = 350, SHARED_REST = 1000;

const style = new CSSStyleSheet();
style.replaceSync(sheet);

/** What an editor that was closed leaves: its text, right or wrong, and what can be undone. */
const kept = new WeakMap<SharedRun, {state: unknown; shown: Picture | null; typed: Map<number, {picture: Picture; text: string}>}>();

export class Editor extends Piece {
  static override properties = {...Piece.properties, engine: {attribute: false}, faults: {state: true}, length: {state: true}};
  declare run: SharedRun;
  declare engine: Engine;
  private language!: Language;
  declare faults: Diagnostic[];
  declare length: number;

  private view: EditorView | null = null;
  /** What was typed on a branch, as long as nothing else has changed it. */
  private typed = new Map<number, {picture: Picture; text: string}>();
  private shown: Picture | null = null;
  private patience = 0;
  private rest = 0;
  /** The text that plays when the hand rests. */
  private waiting: string | null = null;
  /** No text stands there yet: the first one cannot be undone. */
  private fresh = true;
  /** Texts of this editor that are played now. */
  private playing = 0;

  constructor() {
    super();
    this.faults = [];
    this.length = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.className = 'editor';
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', words.editor.title);
    const root = this.getRootNode() as ShadowRoot;
    if (!root.adoptedStyleSheets.includes(style)) root.adoptedStyleSheets.push(style);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.patience);
    void this.playNow();
    if (this.view) kept.set(this.run, {state: this.view.state.toJSON({history: historyField}), shown: this.shown, typed: this.typed});
    this.view?.destroy();
    this.view = null;
  }

  override focus(): void {
    this.view?.focus();
  }

  protected override updated(): void {
    if (!this.isConnected) return;
    this.language ??= new Language(this.engine);
    this.view ??= this.start();
    void this.follow();
  }

  /** In a room only the host writes. */
  private get readOnly(): boolean {
    return Boolean(this.run.conductor && !this.run.conductor.host);
  }

  private start(): EditorView {
    const extensions = [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), closeBrackets(), EditorView.lineWrapping,
      keymap.of([...defaultKeymap, ...historyKeymap]), language(this.language), faultMarks,
      EditorState.readOnly.of(this.readOnly),
      EditorView.contentAttributes.of({'aria-label': words.editor.title, spellcheck: 'false', autocorrect: 'off', autocapitalize: 'off'}),
      EditorView.updateListener.of((u) => {
        if (!u.docChanged) return;
        this.length = u.state.doc.length;
        void this.read(u.transactions.some((t) => t.annotation(Transaction.userEvent)));
      }),
    ];
    const left = kept.get(this.run);
    if (left) Object.assign(this, {shown: left.shown, typed: left.typed, fresh: false});
    const state = left ? EditorState.fromJSON(left.state, {extensions}, {history: historyField}) : EditorState.create({extensions});
    const view = new EditorView({parent: this.querySelector('.code')!, root: this.getRootNode() as ShadowRoot, state});
    this.view = view;
    this.length = state.doc.length;
    if (left) void this.read(true); // it may have been closed while somebody typed
    return view;
  }

  /** The branch or what it is made of has changed: its text comes. */
  private async follow(): Promise<void> {
    const {run, view} = this, picture = run.picture;
    if (!view || this.playing || (picture && picture === this.shown)) return;
    if (!picture && (run.loading || view.state.doc.length)) return;
    this.shown = picture;
    const typed = this.typed.get(run.branch);
    const text = typed && typed.picture === picture ? typed.text : picture ? await textOf(run) : run.text;
    if (picture !== this.shown) return;
    this.write(text);
    this.note();
  }

  /** What the text says and the run is not stands below its lines too; it is no error of the text. */
  private note(): void {
    const {view} = this, {picture} = this.run;
    if (!view || !picture || this.faults.length || picture !== this.shown) return;
    const {doc} = view.state;
    const list = shortfalls(picture).filter((s) => s.line > 0 && s.line <= doc.lines)
      .map(({line, message}) => ({line, column: 1, endColumn: 1 + [...doc.line(line).text].length, message}));
    view.dispatch({effects: setFaults.of(list)});
  }

  /** Puts a text there; what both have in common stays, and so does the cursor. */
  private write(text: string): void {
    const {view} = this, before = view?.state.doc.toString() ?? '';
    if (!view || text === before) return;
    let from = 0, end = 0;
    const most = Math.min(text.length, before.length);
    while (from < most && text[from] === before[from]) from++;
    while (end < most - from && text[text.length - 1 - end] === before[before.length - 1 - end]) end++;
    view.dispatch({changes: {from, to: before.length - end, insert: text.slice(from, text.length - end)}, annotations: this.fresh ? Transaction.addToHistory.of(false) : isolateHistory.of('full')});
    this.fresh = false;
  }

  /** The engine reads the text; what is right and was typed is run. */
  private async read(typed: boolean): Promise<void> {
    const text = this.view!.state.doc.toString();
    clearTimeout(this.patience);
    clearTimeout(this.rest);
    this.waiting = null;
    const {tokens, diagnostics} = await this.language.check(text);
    const {view} = this;
    if (view?.state.doc.toString() !== text) return; // a newer text is being read
    view.dispatch({effects: setTokens.of(tokens)});
    if (!diagnostics.length) {
      this.report([]);
      if (typed) this.play(text);
    } else this.complain(diagnostics, typed ? PATIENCE : 0);
  }

  /** Not while a list of suggestions is open over the place. */
  private complain(diagnostics: Diagnostic[], after: number): void {
    this.patience = window.setTimeout(() => {
      if (this.view && completionStatus(this.view.state) === 'active') this.complain(diagnostics, PATIENCE);
      else this.report(diagnostics);
    }, after);
  }

  private report(list: Diagnostic[]): void {
    if (!list.length && !this.faults.length) return;
    this.faults = list;
    this.view?.dispatch({effects: setFaults.of(list)});
    this.dispatchEvent(new CustomEvent('lab-faults', {detail: list, bubbles: true, composed: true}));
  }

  /** Plays the text when the hand rests. It may be changed again while it is played. */
  private play(text: string): void {
    this.waiting = text;
    this.rest = window.setTimeout(() => void this.playNow(), this.run.conductor ? SHARED_REST : REST);
  }

  private async playNow(): Promise<void> {
    const text = this.waiting;
    clearTimeout(this.rest);
    this.waiting = null;
    if (text === null) return;
    this.playing++;
    try {
      await edit(this.run, text);
      this.shown = this.run.picture;
      if (this.shown) this.typed.set(this.run.branch, {picture: this.shown, text});
      this.note();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // There are too many branches, or the room says no.
      this.report(error.diagnostics.length ? error.diagnostics : [{line: 1, column: 1, endColumn: 1, message: error.message}]);
    } finally {
      this.playing--;
    }
  }

  private async format(): Promise<void> {
    const {view} = this;
    if (!view || this.faults.length || this.readOnly) return;
    this.write(await this.language.format(view.state.doc.toString()));
  }

  private close(): void {
    this.dispatchEvent(new CustomEvent('lab-close', {bubbles: true, composed: true}));
  }

  protected override render(): TemplateResult {
    const n = this.faults.length;
    return html`<div class="ed-head"><b>${words.editor.title}</b><span class="quiet" aria-live="polite">${n ? words.editor.notRunning(n) : this.readOnly ? words.editor.hostOnly : ''}</span><span class="grow"></span>
        <button type="button" class="btn" aria-disabled=${n > 0 || this.readOnly} @click=${() => this.format()}>${words.editor.format}</button>
        <button type="button" class="btn icon" aria-label=${words.editor.close} title=${words.editor.close} @click=${() => this.close()}>×</button></div>
      <div class="code"></div>
      <p class="ed-foot quiet small">${words.editor.foot(count(this.length))}</p>`;
  }
}

define('lab-editor', Editor);
