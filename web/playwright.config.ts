import {defineConfig} from '@playwright/test';
import {find} from './tools/browsers.mjs';

const executablePath = find('chromium');
const port = Number(process.env['PORT'] ?? 4179);

export default defineConfig({
  testDir: 'test/e2e',
  workers: 2,
  reporter: 'line',
  timeout: 60_000,
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    viewport: {width: 1440, height: 900},
    launchOptions: {...executablePath && {executablePath}, args: ['--no-sandbox']},
  },
  // dist/ is served twice: at the root, and below a path as on a documentation site.
  webServer: {command: `node test/e2e/serve.mjs ${port}`, url: `http://127.0.0.1:${port}/`, reuseExistingServer: false},
});
