// The page in Firefox, through WebDriver BiDi: the same run as everywhere else.
// Playwright's own Firefox cannot be had here, and does not drive Debian's.

import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import puppeteer from 'puppeteer-core';
import {find} from '../../tools/browsers.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url)), executablePath = find('firefox');
const options = {skip: executablePath ? false : 'no Firefox is found', timeout: 60_000};

let server, browser, base = '';
const errors = [];

before(async () => {
  if (!executablePath) return;
  server = spawn(`${root}build/rebalance`, ['serve', '--listen', '127.0.0.1:0', '--dir', `${root}web/dist`], {stdio: ['ignore', 'pipe', 'inherit']});
  for await (const line of createInterface({input: server.stdout})) {
    base = /http:\/\/\S+/.exec(line)?.[0] ?? '';
    if (base) break;
  }
  browser = await puppeteer.launch({browser: 'firefox', executablePath, headless: true});
});

after(async () => {
  await browser?.close();
  server?.kill();
});

async function open(address) {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setViewport({width: 1440, height: 900});
  page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
  page.on('pageerror', (e) => errors.push(e.message));
  await page.goto(base + address);
  return page;
}

/** Waits until the page's run is so; test is a function of the run. */
const until = (page, test, argument) => page.waitForFunction(`((run) => run && run.view?.at === run.now && run.view.branch === run.branch && (${test})(run, ${JSON.stringify(argument ?? null)}))(document.querySelector('lab-page')?.run)`, {timeout: 20_000});
const sentence = (page) => page.$eval('>>> lab-say h1', (e) => e.textContent.trim().replace(/\s+/g, ' '));
const state = (page) => page.evaluate(() => {
  const {run} = document.querySelector('lab-page');
  return {digest: run.view.digest, end: run.picture.digest, now: run.now, branch: run.branch};
});

test('the picture, the sentence and the digest are those of the terminal', options, async () => {
  const page = await open('#s=consumer-dies&t=41');
  await until(page, (run) => run.now === 41e6);
  assert.equal(await sentence(page), 'Waiting for c2, 22 more seconds, because of session.timeout.ms');
  const [, digest] = execFileSync(`${root}build/rebalance`, ['digest', `${root}engine/script/scenarios/consumer-dies.txt`]).toString().trim().split(' ');
  assert.equal((await state(page)).end, digest);
  assert.ok(await page.$('>>> lab-stage svg'));
});

test('the keyboard, the editor and a link', options, async () => {
  const page = await open('#s=consumer-dies&t=41');
  await until(page, (run) => run.now === 41e6);
  await page.keyboard.press('ArrowRight');
  await until(page, (run) => run.now > 63e6 - 1 && run.now < 64e6);
  await page.keyboard.press('e');
  await page.waitForSelector('>>> lab-editor .tok-keyword');
  await (await page.$$('>>> lab-editor .cm-line'))[6].click();
  await page.keyboard.press('End');
  for (let i = 0; i < 5; i++) await page.keyboard.press('Backspace');
  await page.keyboard.type('30000');
  await until(page, (run) => run.branch === 2);
  await page.waitForFunction(() => location.hash.startsWith('#1='));
  const before = await state(page), other = await open(new URL(page.url()).hash);
  await until(other, (run, now) => run.now === now, before.now);
  assert.deepEqual(await state(other), {...before, branch: 1});
});

test('a room: two pages, one run', options, async () => {
  const host = await open('#s=consumer-dies&t=41');
  await until(host, (run) => run.now === 41e6);
  await host.keyboard.press('s');
  await (await host.waitForSelector('>>> lab-share .btn.fill')).click();
  await host.waitForFunction(() => /^#room=[0-9A-Z]{6}$/.test(location.hash) && document.querySelector('lab-page').room?.state === 'here');
  await until(host, (run) => run.now === 41e6);
  const viewer = await open(new URL(host.url()).hash);
  await until(viewer, (run) => run.now === 41e6);
  await host.evaluate(() => document.querySelector('lab-page').run.act('kill c1'));
  for (const page of [host, viewer]) await until(page, (run) => run.branch === 2);
  assert.deepEqual(await state(viewer), await state(host));
});

test('nothing was said in the console', options, () => assert.deepEqual(errors, []));
