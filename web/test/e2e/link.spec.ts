// Links: what is sent opens the same run at the same moment, or says why not.

import {readFileSync} from 'node:fs';
import {deflateSync} from 'node:zlib';
import {clock, expect, open, reason, sentence, settled, test, who} from './page.ts';
import type {Page} from '@playwright/test';

interface Lab { run: {digestNow: string; picture: {digest: string} | null; branch: number; events: unknown[]; picked: number; spacing: string; rows: string} }
const state = (page: Page) => page.evaluate(() => {
  const {run} = document.querySelector('lab-page') as unknown as Lab;
  return {digest: run.picture?.digest, events: run.events.length, picked: run.picked, spacing: run.spacing, rows: run.rows};
});

async function shared(page: Page): Promise<string> {
  await page.locator('.bar [data-pop="share"]').click();
  await expect(page.locator('lab-copy.link input')).toHaveValue(/#1=/);
  return page.locator('lab-copy.link input').inputValue();
}

test('a link opens the same run, moment and selection in another window', async ({page, browser}) => {
  await open(page, 'consumer-dies', 41);
  await who(page, 'c1').click();
  await page.getByRole('menuitem', {name: /Kill/}).click();
  await expect(reason(page)).toContainText('branch 2');
  for (const key of ['ArrowRight', 'w', 'c', 'm']) await page.keyboard.press(key);
  await settled(page);
  const link = await shared(page), said = await sentence(page).innerText(), time = await clock(page).innerText(), before = await state(page);
  expect(before.picked).toBeGreaterThan(0);
  expect(link.length).toBeLessThan(500);
  const other = await (await browser.newContext({viewport: {width: 1440, height: 900}})).newPage();
  await other.goto(link);
  await expect(sentence(other)).toHaveText(said);
  await expect(clock(other)).toHaveText(time);
  expect(await state(other)).toEqual(before);
  await expect(other.locator('.title')).toHaveText('Why did my group rebalance?');
  await other.context().close();
});

test('the address of a branch is its link: reloading keeps it', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await who(page, 'c1').click();
  await page.getByRole('menuitem', {name: /Stop/}).click();
  await expect(page).toHaveURL(/#1=.*&t=41/);
  await settled(page);
  const before = await state(page);
  await page.reload();
  await expect(clock(page)).toHaveText('41.0 s');
  await settled(page);
  expect(await state(page)).toEqual(before);
  // Back in the gallery and again here: the branches are still there.
  await open(page, 'consumer-dies', 41);
  await who(page, 'c1').click();
  await page.getByRole('menuitem', {name: /Stop/}).click();
  await expect(page).toHaveURL(/#1=/);
  await page.keyboard.press('g');
  await expect(page.locator('.card').first()).toBeVisible();
  await page.goBack();
  await expect(page.locator('lab-time .branch')).toHaveCount(2);
});

test('wrong links say what is wrong and show the gallery', async ({page}) => {
  await open(page, 'first-join', 2);
  const link = await shared(page), fragment = new URL(link).hash;
  for (const [hash, message] of [
    [fragment.slice(0, 40), /damaged, or a part of it is missing/],
    [fragment.replace(/^#1=.{8}/, '#1=AAAAAAAA'), /damaged/],
    ['#2=abcdef', /made by a newer Rebalance Lab/],
    ['#hello', /holds no scenario/],
    ['#s=no-such-thing', /There is no scenario “no-such-thing”/],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(`./${hash}`);
    await expect(page.getByRole('alert')).toContainText(message);
    await expect(page.locator('.card').first()).toBeVisible();
  }
  // A cut link in a page that is open.
  await page.evaluate(() => (location.hash = '#1=xyz'));
  await expect(page.getByRole('alert')).toContainText(/damaged/);
});

test('a run that is not the one of its link says so', async ({page}) => {
  await open(page, 'first-join', 2);
  const link = await shared(page);
  await page.goto('about:blank');
  await page.goto(link.replace(/d=[0-9a-f]+/, 'd=00000000'));
  await expect(page.getByRole('alert')).toContainText('This run ends otherwise than the one that was shared (digest 00000000, here ');
});

test('a link that lost its end opens, and says so', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  const link = await shared(page);
  await page.goto('about:blank');
  await page.goto(link.replace(/&t=41.*/, '&t=4'));
  await expect(clock(page)).toHaveText('4.0 s');
  await expect(page.getByRole('alert')).toContainText('The end of this link is missing: the moment may be another one.');
  await page.goto('about:blank');
  await page.goto(`${link}).`);
  await expect(clock(page)).toHaveText('41.0 s');
  await settled(page);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a link whose text has an error is mended in the editor', async ({page}) => {
  const dictionary = readFileSync(new URL('../../../server/link/dictionary-1.txt', import.meta.url));
  const script = 'kafka 3.9\nbrokers 3\ntopic t partitions=2\ngroup g assignor=rnge\nconsumer c1 group=g topics=t\nrun until 20s\n';
  const link = `#1=${deflateSync(script, {dictionary}).toString('base64url')}&t=5`;
  await page.goto(`./${link}`);
  await expect(page.getByRole('alert')).toContainText('line 4');
  await page.getByRole('button', {name: 'Mend it in the editor'}).click();
  await page.locator('lab-editor').getByRole('button', {name: /Write range/}).click();
  await expect(clock(page)).toHaveText('5.0 s');
  await settled(page);
});

test('old links of the corpus open', async ({page}) => {
  const corpus = readFileSync(new URL('../../../server/link/testdata/links.jsonl', import.meta.url), 'utf8').trim().split('\n').slice(2);
  const {fragment, link} = JSON.parse(corpus[0]!) as {fragment: string; link: {Script: string}};
  await page.goto(`./${fragment}`);
  await expect(clock(page)).toHaveText('1.5 s');
  await page.keyboard.press('e');
  await expect.poll(async () => (await page.locator('lab-editor .cm-line').allInnerTexts()).join('\n').trim()).toBe(link.Script.trim());
});

test('sharing: the tag and the terminal carry the same text', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await shared(page);
  await expect(page.locator('lab-copy.embed textarea')).toHaveValue(/<rebalance-lab at="41s"><pre>\nrebalance-lab 1[\s\S]*at 20s kill c2[\s\S]*<\/pre><\/rebalance-lab>/);
  await expect(page.locator('lab-copy.terminal input')).toHaveValue(/^rebalance run '#1=/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('lab-copy.terminal').getByRole('button', {name: 'Copy'}).click();
  await expect(page.locator('lab-copy.terminal').getByRole('button')).toHaveText('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^rebalance run '#1=/);
  await page.keyboard.press('Escape');
  await expect(page.locator('lab-share')).toHaveCount(0);
});
