// The page's side of the worker: one promise for every question.

import type {Answer, Ask, EngineEvent, Diagnostic, Picture, Scenario, View} from './types.ts';

type Question = Ask extends infer A ? (A extends {id: number} ? Omit<A, 'id'> : never) : never;

type Reply = Extract<Answer, {ok: true}>;

/** The engine said no: a fault of the script or of a command. */
export class Refusal extends Error {
  constructor(message: string, readonly diagnostics: Diagnostic[] = []) {
    super(message);
  }
}

/** The worker is gone: a trap that nothing inside could catch. */
export class EngineDied extends Error {}

export class Engine {
  private worker: Worker | null = null;
  private waiting = new Map<number, {resolve(answer: Answer): void; reject(error: Error): void}>();
  private last = 0;

  /** Opening a text replaces whatever the worker held. */
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

  async text(branch: number): Promise<string> {
    return (await this.ask<'text'>({ask: 'text', branch})).text;
  }

  /** Ends the worker; the next question starts another. */
  close(): void {
    this.worker?.terminate();
    this.worker = null;
    const orphans = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of orphans) one.reject(new EngineDied('the engine was closed'));
  }

  private ask<K extends Reply['answer']>(question: Question): Promise<Extract<Reply, {answer: K}>> {
    const worker = this.worker ??= this.start();
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, {resolve: resolve as (answer: Answer) => void, reject});
      worker.postMessage({...question, id});
    });
  }

  private start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {type: 'module', name: 'engine'});
    worker.onmessage = ({data}: MessageEvent<Answer & {died?: boolean}>) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.worker) this.die(event.message || 'the engine stopped');
    };
    return worker;
  }

  private receive(answer: Answer & {died?: boolean}): void {
    const one = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.ok) one?.resolve(answer);
    else if (answer.died) {
      one?.reject(new EngineDied(answer.message));
      this.die(answer.message);
    } else one?.reject(new Refusal(answer.message, answer.diagnostics));
  }

  private die(message: string): void {
    this.worker?.terminate();
    this.worker = null;
    const orphans = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of orphans) one.reject(new EngineDied(message));
  }
}
