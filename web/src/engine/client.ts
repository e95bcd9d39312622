// The page's side of the worker. A page has one worker; an Engine is one run in
// it, and gets one promise for every question.

import address from './worker.ts?worker&url';
import type {Answer, Ask, EngineEvent, Diagnostic, Picture, Scenario, View} from './types.ts';

type Question = Ask extends infer A ? (A extends {id: number} ? Omit<A, 'id' | 'run'> : never) : never;

type Reply = Extract<Answer, {ok: true}>;

/** The engine said no: a fault of the script or of a command. */
export class Refusal extends Error {
  constructor(message: string, readonly diagnostics: Diagnostic[] = []) {
    super(message);
  }
}

/** The run is gone, or the worker with it: a trap that nothing inside could catch. */
export class EngineDied extends Error {}

/** What waits for an answer. */
interface Waiting {
  engine: Engine;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

const ENDED = 'this run has ended';

let worker: Worker | null = null;
let last = 0;
const waiting = new Map<number, Waiting>();
/** The runs that the worker holds. */
const opened = new Set<Engine>();

let numbers = 0;

export class Engine {
  private readonly run = ++numbers;
  /** Told when this run has ended by itself, whether or not a question was open. */
  died: (error: EngineDied) => void = () => {};

  /** Opening a text replaces whatever the run held. */
  async open(text: string): Promise<Scenario> {
    return (await this.ask<'open'>({ask: 'open', text})).scenario;
  }

  async play(branch: number): Promise<Picture> {
    return (await this.ask<'play'>({ask: 'play', branch})).picture;
  }

  async view(branch: number, at: number, logOf = -1): Promise<View> {
    return (await this.ask<'view'>({ask: 'view', branch, at, logOf})).view;
  }

  async detail(branch: number, from: number, to: number): Promise<EngineEvent[]> {
    return (await this.ask<'detail'>({ask: 'detail', branch, from, to})).events;
  }

  async act(branch: number, at: number, line: string): Promise<number> {
    return (await this.ask<'act'>({ask: 'act', branch, at, line})).branch;
  }

  /** Frees the run; the last one takes the worker along. Opening again is possible. */
  close(): void {
    if (!opened.delete(this)) return;
    worker?.postMessage({close: this.run});
    reject(new EngineDied(ENDED), this);
    if (!opened.size) stop();
  }

  ask<K extends Reply['answer']>(question: Question): Promise<Extract<Reply, {answer: K}>> {
    if (question.ask === 'open') opened.add(this);
    else if (!opened.has(this)) return Promise.reject(new EngineDied(ENDED));
    worker ??= start();
    const id = ++last;
    return new Promise((resolve, reject) => {
      waiting.set(id, {engine: this, resolve: resolve as (answer: Answer) => void, reject});
      worker!.postMessage({...question, id, run: this.run});
    });
  }
}

function start(): Worker {
  const url = new URL(address, import.meta.url), options = {type: 'module', name: 'engine'} as const;
  // A page of another origin may not start this file as its worker, only bytes of its own that import it.
  const foreign = url.origin !== location.origin;
  const bytes = foreign ? URL.createObjectURL(new Blob([`import ${JSON.stringify(url.href)}`], {type: 'text/javascript'})) : '';
  const started = new Worker(bytes || url, options);
  started.onmessage = ({data}: MessageEvent<Answer>) => receive(data);
  started.onerror = (event) => {
    event.preventDefault();
    if (started === worker) die(new EngineDied(event.message || 'the engine stopped'));
  };
  return started;
}

function stop(): void {
  worker?.terminate();
  worker = null;
}

function receive(answer: Answer): void {
  const one = waiting.get(answer.id);
  if (!one) return;
  if (answer.ok || !answer.died) {
    waiting.delete(answer.id);
    if (answer.ok) one.resolve(answer);
    else one.reject(new Refusal(answer.message, answer.diagnostics));
  } else if (answer.died === 'worker') die(new EngineDied(answer.message));
  else end(one.engine, new EngineDied(answer.message));
}

/** One run has ended; the others go on. */
function end(engine: Engine, error: EngineDied): void {
  opened.delete(engine);
  reject(error, engine);
  engine.died(error);
}

/** The worker has ended and every run with it; the next question starts another. */
function die(error: EngineDied): void {
  stop();
  for (const engine of [...opened]) end(engine, error);
  reject(error);
}

/** Nobody waits for ever. */
function reject(error: EngineDied, engine?: Engine): void {
  for (const [id, one] of waiting) {
    if (engine && one.engine !== engine) continue;
    waiting.delete(id);
    one.reject(error);
  }
}
