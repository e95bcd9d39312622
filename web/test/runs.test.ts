// Many runs in one worker, with the engine that `make wasm` built; and the
// page's side of it, with a worker that only notes what it is told.

import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {Engine, EngineDied, Refusal} from '../src/engine/client.ts';
import {Runs, type Exports} from '../src/engine/runs.ts';
import type {Answer, Ask} from '../src/engine/types.ts';

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

const folder = new URL('../public/engine/', import.meta.url);
await import(new URL('wasm_exec.js', folder).href);
const compiled = await WebAssembly.compile(await readFile(new URL('engine.wasm', folder)));

const instance = async (): Promise<Exports> => {
  const go = new Go();
  const started = await WebAssembly.instantiate(compiled, go.importObject);
  void go.run(started);
  return started.exports as unknown as Exports;
};

const text = (members: number) => `kafka 3.9
brokers 3
topic orders partitions=6 rate=60/s
group checkout
consumer c1..c${members} group=checkout topics=orders
at 20s kill c1
run until 75s
`;

let id = 0;
const ask = (runs: Runs, run: number, question: object): Promise<Answer> => runs.answer({...question, id: ++id, run} as unknown as Ask);
const pictureOf = async (runs: Runs, run: number) => {
  const answer = await ask(runs, run, {ask: 'play', branch: 1});
  assert.ok(answer.ok && answer.answer === 'play', JSON.stringify(answer));
  return answer.picture;
};

test('ten runs in one worker do not see each other', async () => {
  const runs = new Runs(instance), numbers = Array.from({length: 10}, (_, i) => i + 1);
  await Promise.all(numbers.map((n) => ask(runs, n, {ask: 'open', text: text(n)})));
  const pictures = await Promise.all(numbers.map((n) => pictureOf(runs, n)));
  assert.deepEqual(pictures.map((p) => new Set(p.lives.filter((l) => l.node < 0).map((l) => l.node)).size), numbers);
  assert.equal(new Set(pictures.map((p) => p.digest)).size, 10);
  await ask(runs, 3, {ask: 'act', branch: 1, at: 30e6, line: 'start c1'});
  const [third, fourth] = await Promise.all([pictureOf(runs, 3), pictureOf(runs, 4)]);
  assert.deepEqual([third.branches.length, fourth.branches.length], [2, 1]);
});

test('a trap ends its run; the others go on, and the same one can be opened again', async () => {
  let broken = true;
  const runs = new Runs(async () => {
    const x = await instance();
    return broken ? {...x, engine_view: () => { throw new WebAssembly.RuntimeError('unreachable'); }} : x;
  });
  await ask(runs, 1, {ask: 'open', text: text(3)});
  broken = false;
  await ask(runs, 2, {ask: 'open', text: text(3)});
  const view = (run: number) => ask(runs, run, {ask: 'view', branch: 1, at: 5e6, logOf: -1});
  await pictureOf(runs, 2);
  const dead = await view(1);
  assert.ok(!dead.ok && dead.died === 'run' && dead.message === 'unreachable');
  const gone = await ask(runs, 1, {ask: 'play', branch: 1});
  assert.ok(!gone.ok && gone.died === 'run', 'it has no memory of what it held');
  assert.ok((await view(2)).ok);
  await ask(runs, 1, {ask: 'open', text: text(3)});
  assert.equal((await pictureOf(runs, 1)).digest, (await pictureOf(runs, 2)).digest);
});

test('a run that is closed while it plays stops playing', async () => {
  const runs = new Runs(instance);
  await ask(runs, 1, {ask: 'open', text: text(40)});
  const playing = ask(runs, 1, {ask: 'play', branch: 1});
  runs.close(1);
  const answer = await playing;
  assert.ok(!answer.ok && answer.died === 'run');
});

test('a text that is far too long is refused and harms nothing', async () => {
  const runs = new Runs(instance);
  const answer = await ask(runs, 1, {ask: 'open', text: `# ${'x'.repeat(2e6)}\n`});
  assert.ok(!answer.ok && !answer.died, JSON.stringify(answer).slice(0, 300));
  await ask(runs, 1, {ask: 'open', text: text(2)});
  assert.equal((await pictureOf(runs, 1)).end, 75e6);
});

// The page's side.

class Noted {
  static all: Noted[] = [];
  asked: (Ask & {close?: number})[] = [];
  ended = false;
  onmessage: (e: {data: Answer}) => void = () => {};
  onerror: (e: {message: string; preventDefault(): void}) => void = () => {};
  constructor() {
    Noted.all.push(this);
  }
  postMessage(ask: Ask): void {
    this.asked.push(ask);
  }
  terminate(): void {
    this.ended = true;
  }
}
Object.assign(globalThis, {Worker: Noted, location: {origin: 'null'}});
const newest = () => Noted.all[Noted.all.length - 1]!;

test('ten engines share one worker; the last that is closed takes it along', async () => {
  const before = Noted.all.length, engines = Array.from({length: 10}, () => new Engine());
  const opening = engines.map((e) => e.open(''));
  assert.equal(Noted.all.length, before + 1);
  assert.equal(new Set(newest().asked.map((a) => a.run)).size, 10);
  for (const {id} of newest().asked) newest().onmessage({data: {id, ok: true, answer: 'open', scenario: {} as never}});
  await Promise.all(opening);
  engines.slice(1).forEach((e) => e.close());
  assert.equal(newest().ended, false);
  engines[0]!.close();
  assert.equal(newest().ended, true);
});

test('one run that dies rejects its own questions and leaves the others their worker', async () => {
  const told: string[] = [], [a, b] = [new Engine(), new Engine()];
  a.died = () => told.push('a');
  b.died = () => told.push('b');
  const questions = [a.open(''), a.play(1), b.open('')], ids = newest().asked.map((q) => q.id);
  newest().onmessage({data: {id: ids[0]!, ok: false, message: 'unreachable', died: 'run'}});
  await assert.rejects(questions[0]!, EngineDied);
  await assert.rejects(questions[1]!, EngineDied);
  await assert.rejects(a.view(1, 0), EngineDied, 'until it is opened again');
  assert.deepEqual([told, newest().ended], [['a'], false]);
  newest().onmessage({data: {id: ids[2]!, ok: false, message: 'line 1'}});
  await assert.rejects(questions[2]!, Refusal);
  b.close();
});

test('a worker that dies tells every run; the next question starts another', async () => {
  const told: string[] = [], [a, b] = [new Engine(), new Engine()];
  a.died = () => told.push('a');
  b.died = () => told.push('b');
  const opening = [a.open(''), b.open('')], dead = newest();
  newest().onmessage({data: {id: dead.asked[1]!.id, ok: true, answer: 'open', scenario: {} as never}});
  dead.onerror({message: 'out of memory', preventDefault() {}});
  await assert.rejects(opening[0]!, /out of memory/);
  assert.deepEqual(told, ['a', 'b']);
  void a.open('').catch(() => {});
  assert.notEqual(newest(), dead);
  a.close();
});
