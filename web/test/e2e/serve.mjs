// A static server for what was built: the page at / and below a path, with the
// strict policy that it must live under; the site below a path as any static
// host serves it, once more under a policy that allows next to nothing, and once
// for pages of other origins.

import {createReadStream, existsSync, statSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join, normalize} from 'node:path';
import {fileURLToPath} from 'node:url';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const dist = folder('../../dist'), site = folder('../../../build/site');
const TYPES = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.json': 'application/json', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.txt': 'text/plain; charset=utf-8'};
const page = {'Content-Security-Policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'"};
const strict = {'Content-Security-Policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'"};

/** The first that fits. */
const mounts = [
  ['/docs/lab/', dist, page],
  ['/docs/handbook/', site, {}],
  ['/strict/handbook/', site, strict],
  ['/cdn/', site, {'Access-Control-Allow-Origin': '*'}],
  ['/', dist, page],
];

/** A page that takes the element from another origin than its own. */
const foreign = `<!doctype html><html lang="en"><head><title>foreign</title><link rel="icon" href="data:,">
  <script type="module" src="http://127.0.0.1:${process.argv[2]}/cdn/rebalance-lab.js"></script></head>
  <body><rebalance-lab id="a" at="41s" src="http://127.0.0.1:${process.argv[2]}/cdn/scenarios/consumer-dies.txt"></rebalance-lab></body></html>`;

createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
  if (path === '/foreign.html') {
    response.writeHead(200, {'Content-Type': TYPES['.html']}).end(foreign);
    return;
  }
  if (path === '/favicon.ico') {
    response.writeHead(204).end();
    return;
  }
  const [at, root, headers] = mounts.find(([at]) => path.startsWith(at));
  const file = join(root, normalize(`/${path.slice(at.length)}${path.endsWith('/') ? 'index.html' : ''}`));
  if (!file.startsWith(root) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers});
  createReadStream(file).pipe(response);
}).listen(Number(process.argv[2]), '127.0.0.1');
