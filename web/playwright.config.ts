import {existsSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {defineConfig} from '@playwright/test';

/** The browser: $CHROMIUM, then the PATH, then Playwright's own place. */
function chromium(): string | undefined {
  if (process.env['CHROMIUM']) return process.env['CHROMIUM'];
  for (const dir of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      if (existsSync(join(dir, name))) return join(dir, name);
    }
  }
  return undefined;
}

const executablePath = chromium();
const port = Number(process.env['PORT'] ?? 4179);

export default defineConfig({
  testDir: 'test/e2e',
  workers: 1,
  reporter: 'line',
  timeout: 30_000,
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    viewport: {width: 1440, height: 900},
    launchOptions: {...executablePath && {executablePath}, args: ['--no-sandbox']},
  },
  // dist/ is served twice: at the root, and below a path as on a documentation site.
  webServer: {command: `node test/e2e/serve.mjs ${port}`, url: `http://127.0.0.1:${port}/`, reuseExistingServer: false},
});
