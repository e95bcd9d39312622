// Plays the scenarios on five platforms and compares their digests: amd64,
// GOAMD64=v3, wasm in Node, in Chromium and in workerd. A line a platform and
// scenario; fails on a difference.
import {execFileSync, spawn} from 'node:child_process';
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {createInterface} from 'node:readline';
import {find} from './browsers.mjs';

const files = process.argv.slice(2);
const engine = 'web/public/engine/';
const texts = Object.fromEntries(files.map((f) => [basename(f), readFileSync(f, 'utf8')]));

function native(level) {
  const out = execFileSync('go', ['run', './server/cmd/rebalance', 'digest', ...files], {
    env: {...process.env, GOAMD64: level},
    encoding: 'utf8',
  });
  return Object.fromEntries(out.trim().split('\n').map((line) => line.split(' ')));
}

/** Runs in Node and, as text, in the browser and in workerd: nothing from outside is used. */
async function wasm(Go, bytes, texts) {
  const go = new Go();
  const made = await WebAssembly.instantiate(bytes, go.importObject);
  const instance = made.instance ?? made; // of bytes, or of a module
  go.run(instance);
  const x = instance.exports;
  const digests = {};
  for (const [name, text] of Object.entries(texts)) {
    const input = new TextEncoder().encode(text);
    const at = x.engine_in(input.length) >>> 0;
    new Uint8Array(x.mem.buffer, at, input.length).set(input);
    x.engine_open(input.length);
    while (x.engine_play(1, 1 << 20) === 0);
    const length = x.engine_picture(1);
    const answer = new TextDecoder().decode(new Uint8Array(x.mem.buffer, x.engine_out() >>> 0, length));
    digests[name] = JSON.parse(answer).digest;
  }
  return digests;
}

async function node() {
  new Function(readFileSync(engine + 'wasm_exec.js', 'utf8'))();
  return wasm(globalThis.Go, readFileSync(engine + 'engine.wasm'), texts);
}

async function browser() {
  const server = createServer((request, response) => {
    const name = request.url.slice(1);
    if (name === 'engine.wasm' || name === 'wasm_exec.js') {
      response.setHeader('Content-Type', name.endsWith('.js') ? 'text/javascript' : 'application/wasm');
      response.end(readFileSync(engine + name));
      return;
    }
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>digest</title><script src="wasm_exec.js"></script>');
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const {chromium} = await import(new URL('../node_modules/@playwright/test/index.mjs', import.meta.url));
  const launched = await chromium.launch({executablePath: find('chromium'), args: ['--no-sandbox']});
  try {
    const page = await launched.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return await page.evaluate(
      `(async () => { const play = ${wasm}; const bytes = await (await fetch('engine.wasm')).arrayBuffer();
        return play(Go, bytes, ${JSON.stringify(texts)}); })()`,
    );
  } finally {
    await launched.close();
    server.close();
  }
}

const capnp = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (compatibilityDate = "2026-04-01", modules = [
    (name = "main.mjs", esModule = embed "main.mjs"),
    (name = "wasm_exec.js", esModule = embed "wasm_exec.js"),
    (name = "engine.wasm", wasm = embed "engine.wasm")]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
`;

async function workerd() {
  const home = 'server/worker/node_modules/@cloudflare/';
  const binary = home + readdirSync(home).find((name) => name.startsWith('workerd-')) + '/bin/workerd';
  const folder = mkdtempSync(join(tmpdir(), 'digest-'));
  for (const name of ['engine.wasm', 'wasm_exec.js']) cpSync(engine + name, join(folder, name));
  writeFileSync(join(folder, 'config.capnp'), capnp);
  writeFileSync(
    join(folder, 'main.mjs'),
    `import './wasm_exec.js'; import engine from './engine.wasm'; const play = ${wasm};
     export default {fetch: async (request) => Response.json(await play(Go, engine, await request.json()))};`,
  );
  const server = spawn(binary, ['serve', join(folder, 'config.capnp'), '--control-fd=3'], {stdio: ['ignore', 'inherit', 'inherit', 'pipe']});
  try {
    for await (const line of createInterface({input: server.stdio[3]})) {
      const {event, port} = JSON.parse(line);
      if (event !== 'listen') continue;
      const answer = await fetch(`http://127.0.0.1:${port}/`, {method: 'POST', body: JSON.stringify(texts)});
      return await answer.json();
    }
    throw new Error('workerd did not start');
  } finally {
    server.kill();
    rmSync(folder, {recursive: true});
  }
}

const platforms = {amd64: native('v1'), 'amd64 GOAMD64=v3': native('v3'), 'wasm in Node': await node(), 'wasm in Chromium': await browser(), 'wasm in workerd': await workerd()};
const reference = platforms.amd64;
let differs = false;
for (const [platform, digests] of Object.entries(platforms)) {
  const wrong = Object.keys(texts).filter((name) => !reference[name] || digests[name] !== reference[name]);
  differs ||= wrong.length > 0;
  const line = Object.values(digests).map((d) => d.slice(0, 8)).join(' ');
  console.log(`${platform.padEnd(18)} ${line}${wrong.length ? '  DIFFERS: ' + wrong.join(', ') : ''}`);
}
process.exit(differs ? 1 : 0);
