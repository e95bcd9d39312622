// The runs of a worker: one instance of the engine for each, so that what
// breaks in one never harms another. It calls the exports of wasm/ and answers
// with parsed JSON. Playing goes in bounded slices, so that a question about
// the past, or of another run, is answered while a long scenario still plays.

import type {Answer, Ask, EngineEvent, Picture} from './types.ts';

/** What wasm/ exports; every number is an int32 unless it says otherwise. */
export interface Exports {
  mem: WebAssembly.Memory;
  engine_in(n: number): number;
  engine_out(): number;
  engine_open(n: number): number;
  engine_play(branch: number, budget: number): number;
  engine_picture(branch: number): number;
  engine_view(branch: number, at: number, logOf: number): number;
  engine_detail(branch: number, from: number, to: number): number;
  engine_act(branch: number, at: number, n: number): number;
  engine_edit(branch: number, n: number): number;
  engine_text(branch: number): number;
  engine_check(n: number): number;
  engine_complete(n: number, line: number, column: number): number;
  engine_hover(n: number, line: number, column: number): number;
  engine_format(n: number): number;
}

/** Events a slice of playing may take; about 10 ms. */
const SLICE = 2000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The engine's own answer instead of a result. */
class Trouble extends Error {
  constructor(readonly answer: {message?: string; diagnostics?: []; script?: string}) {
    super(answer.message ?? 'the engine refused');
  }
}

/** Nothing can run here: the file with the engine did not come, or is not one. */
export class NoEngine extends Error {}

/** Distributes over the union, so that each answer keeps its own fields. */
type Body = Answer extends infer A ? (A extends {ok: true} ? Omit<A, 'id' | 'ok'> : never) : never;

export class Runs {
  private readonly all = new Map<number, Promise<Exports>>();

  constructor(private readonly start: () => Promise<Exports>) {}

  /** Frees what a run held; nothing refers to its memory any more. */
  close(run: number): void {
    this.all.delete(run);
  }

  async answer(ask: Ask): Promise<Answer> {
    const {id, run} = ask;
    if (ask.ask === 'open' && !this.all.has(run)) this.all.set(run, this.start());
    const mine = this.all.get(run);
    try {
      if (!mine) throw new Error('this run has ended');
      const x = await mine;
      return {...await this.body(x, ask, () => this.all.get(run) === mine), id, ok: true} as Answer;
    } catch (error) {
      const told = error instanceof Trouble ? error.answer : null;
      // Anything that is not the engine's own answer is a trap: this run is done.
      if (!told && this.all.get(run) === mine) this.all.delete(run);
      return {
        id, ok: false, died: told ? undefined : error instanceof NoEngine ? 'worker' : 'run',
        message: error instanceof Error ? error.message : String(error),
        diagnostics: told?.diagnostics, script: told?.script,
      };
    }
  }

  private async body(x: Exports, ask: Ask, lives: () => boolean): Promise<Body> {
    switch (ask.ask) {
      case 'open':
        return {answer: 'open', scenario: json(x, x.engine_open(write(x, ask.text))).scenario};
      case 'play': {
        await play(x, ask.branch, lives);
        const picture: Picture = json(x, x.engine_picture(ask.branch));
        clean(picture.events);
        return {answer: 'play', picture};
      }
      case 'view':
        return {answer: 'view', view: json(x, x.engine_view(ask.branch, ask.at, ask.logOf))};
      case 'detail':
        return {answer: 'detail', events: clean(json(x, x.engine_detail(ask.branch, ask.from, ask.to)).events)};
      case 'act':
        return {answer: 'act', branch: json(x, x.engine_act(ask.branch, ask.at, write(x, ask.line))).branch};
      case 'edit': {
        const {branch, scenario} = json(x, x.engine_edit(ask.branch, write(x, ask.text)));
        return {answer: 'edit', branch, scenario};
      }
      case 'text':
        return {answer: 'text', text: text(x, x.engine_text(ask.branch))};
      case 'check':
        return {answer: 'check', check: json(x, x.engine_check(write(x, ask.text)))};
      case 'complete':
        return {answer: 'complete', list: json(x, x.engine_complete(write(x, ask.text), ask.line, ask.column))};
      case 'hover':
        return {answer: 'hover', hint: json(x, x.engine_hover(write(x, ask.text), ask.line, ask.column))};
      case 'format':
        return {answer: 'format', text: text(x, x.engine_format(write(x, ask.text)))};
    }
  }
}

/** An answer without an error says so by leaving the field out. */
function clean(events: EngineEvent[]): EngineEvent[] {
  for (const e of events) if (e.error === 'NONE') delete e.error;
  return events;
}

/** More than the engine makes room for; it says so itself when it reads so much. */
const MOST_BYTES = 512 * 1024;

function write(x: Exports, text: string): number {
  const bytes = encoder.encode(text).subarray(0, MOST_BYTES);
  const at = x.engine_in(bytes.length) >>> 0;
  new Uint8Array(x.mem.buffer, at, bytes.length).set(bytes); // the view dies at the next call
  return bytes.length;
}

function read(x: Exports, length: number): string {
  return decoder.decode(new Uint8Array(x.mem.buffer, x.engine_out() >>> 0, length));
}

/** The JSON answer of a call that returned its length; -1 means trouble. */
function json(x: Exports, length: number): any {
  if (length < 0) throw new Trouble(trouble(x));
  const answer = JSON.parse(read(x, length));
  if (answer?.ok === false) throw new Trouble(answer);
  return answer;
}

/** An answer that is no JSON. */
function text(x: Exports, length: number): string {
  if (length < 0) throw new Trouble(trouble(x));
  return read(x, length);
}

/** After -1 the output holds one JSON object of unknown length, ended by NUL or the next call. */
function trouble(x: Exports): {message?: string} {
  const bytes = new Uint8Array(x.mem.buffer, x.engine_out() >>> 0);
  let depth = 0, inText = false, i = 0;
  for (; i < bytes.length; i++) {
    const c = bytes[i];
    if (inText) {
      if (c === 0x5c) i++;
      else if (c === 0x22) inText = false;
    } else if (c === 0x22) inText = true;
    else if (c === 0x7b) depth++;
    else if (c === 0x7d && --depth === 0) break;
  }
  try {
    return JSON.parse(decoder.decode(bytes.subarray(0, i + 1)));
  } catch {
    return {message: 'the engine could not say what was wrong'};
  }
}

async function play(x: Exports, branch: number, lives: () => boolean): Promise<void> {
  for (;;) {
    const done = x.engine_play(branch, SLICE);
    if (done < 0) throw new Trouble(trouble(x));
    if (done === 1) return;
    await breath();
    if (!lives()) throw new Error('this run has ended');
  }
}

/** Lets waiting messages in between two slices. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(0);
  });
}
