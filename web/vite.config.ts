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
    modulePreload: {polyfill: false},
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  worker: {format: 'es'},
});
