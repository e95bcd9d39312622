// Finds the Chromium that the browser tests use, and installs Debian's where
// that is possible without asking. Prints its path.
import {execFileSync} from 'node:child_process';
import {accessSync, constants} from 'node:fs';
import {delimiter, join} from 'node:path';
import {createRequire} from 'node:module';

export function findChromium() {
  const candidates = [process.env.CHROMIUM];
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
      candidates.push(join(directory, name));
    }
  }
  try {
    candidates.push(createRequire(import.meta.url)('@playwright/test').chromium.executablePath());
  } catch {
    // Playwright is not installed: it has no own place to look in.
  }
  return candidates.filter(Boolean).find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function install() {
  let root = false;
  try {
    root = process.getuid() === 0;
    execFileSync('apt-get', ['--version'], {stdio: 'ignore'});
  } catch {
    root = false;
  }
  if (!root) return;
  execFileSync('apt-get', ['update', '-qq'], {stdio: 'inherit'});
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {stdio: ['ignore', 'ignore', 'inherit']});
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  if (!findChromium()) install();
  const found = findChromium();
  if (!found) {
    console.error('No Chromium found. Run: cd web && npx playwright install chromium   (or set CHROMIUM to one)');
    process.exit(1);
  }
  console.log('Chromium: ' + found);
}
