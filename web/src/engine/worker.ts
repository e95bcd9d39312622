// The worker that holds the engine: one for a page, an instance for each run.
// The module is fetched and compiled once.

import {NoEngine, Runs, type Exports} from './runs.ts';
import type {Ask} from './types.ts';

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

// Built, the worker stands beside the engine. It may have been imported by a
// few bytes of another origin, so the address of this file counts, not self.location.
const here = import.meta.url;
const base = new URL(import.meta.env.DEV ? '../../engine/' : './', here);

let module: Promise<WebAssembly.Module> | null = null;

async function load(): Promise<WebAssembly.Module> {
  try {
    // Go's own glue puts Go on the global, as a script and as a module.
    await import(/* @vite-ignore */ new URL('wasm_exec.js', base).href);
    return await compile(new URL('engine.wasm', base));
  } catch (error) {
    throw new NoEngine(error instanceof Error ? error.message : String(error));
  }
}

/** Streams if the server names the type; else takes the bytes. */
async function compile(url: URL): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`engine.wasm: ${response.status}`);
  try {
    return await WebAssembly.compileStreaming(response.clone());
  } catch {
    return WebAssembly.compile(await response.arrayBuffer());
  }
}

const runs = new Runs(async () => {
  const compiled = await (module ??= load());
  const go = new Go();
  const instance = await WebAssembly.instantiate(compiled, go.importObject);
  void go.run(instance); // never returns while the engine lives
  return instance.exports as unknown as Exports;
});

self.onmessage = async ({data}: MessageEvent<Ask | {close: number}>) => {
  if ('close' in data) runs.close(data.close);
  else self.postMessage(await runs.answer(data));
};
