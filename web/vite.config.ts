import {defineConfig} from 'vite';
import {fileURLToPath} from 'node:url';

// Relative addresses everywhere: the page works on any sub-path.
export default defineConfig({
  base: './',
  resolve: {
    alias: {'@scenarios': fileURLToPath(new URL('../engine/script/scenarios', import.meta.url))},
  },
  server: {fs: {allow: ['..']}},
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // light-dark() stays as it is written
    modulePreload: {polyfill: false},
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  // Beside the engine, under one name: the page and the element start the same file.
  worker: {format: 'es', rolldownOptions: {output: {entryFileNames: 'engine/worker.js'}}},
});
