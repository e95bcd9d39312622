// The editor: the text beside the picture, read by the engine's own parser.

import AxeBuilder from '@axe-core/playwright';
import {expect, open, openText, sentence, settled, test, who} from './page.ts';
import type {Page} from '@playwright/test';

const code = (page: Page) => page.locator('lab-editor .cm-content');
const lines = (page: Page) => page.locator('lab-editor .cm-line').allInnerTexts();
const branch = (page: Page) => page.evaluate(() => (document.querySelector('lab-page') as unknown as {run: {branch: number}}).run.branch);

async function edit(page: Page, scenario = 'consumer-dies', at = 41): Promise<void> {
  await open(page, scenario, at);
  await page.keyboard.press('e');
  await expect(code(page)).toBeFocused();
  await expect(page.locator('lab-editor .tok-keyword').first()).toBeVisible();
}

/** The cursor behind the line that begins so. */
async function behind(page: Page, start: string): Promise<void> {
  await page.keyboard.press('Escape'); // a list of suggestions may lie over it
  await page.locator('lab-editor .cm-line', {hasText: new RegExp(`^${start}`)}).first().click();
  await page.keyboard.press('End');
}

test('a change of the text is another branch, and the first stays', async ({page}) => {
  await edit(page);
  await behind(page, 'group checkout');
  for (let i = 0; i < 5; i++) await page.keyboard.press('Backspace');
  await page.keyboard.type('30000');
  await expect(sentence(page)).toContainText('7 more seconds');
  expect(await branch(page)).toBe(2);
  await expect(page.locator('lab-time .branch')).toHaveCount(2);
  await expect(page).toHaveURL(/#1=/);
  // Typing on changes the same branch.
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('999');
  await expect.poll(() => page.evaluate(() => (document.querySelector('lab-page') as unknown as {run: {view: {groups: {wait: {due: number}}[]} | null}}).run.view?.groups[0]?.wait.due)).toBe(49_006_000);
  await expect(page.locator('lab-time .branch')).toHaveCount(2);
  // And back to the first.
  await page.keyboard.press('Escape');
  await page.locator('lab-time .branch').first().click();
  await expect(sentence(page)).toContainText('22 more seconds');
  await expect.poll(() => lines(page).then((all) => all.join('\n'))).toContain('session.timeout.ms=45000');
});

test('what is wrong is said below its line; Alt Enter writes what was meant', async ({page}) => {
  await edit(page);
  const before = await page.locator('lab-stage svg').first().getAttribute('aria-label');
  await behind(page, 'group checkout');
  await page.keyboard.type(' max.pol.records=5');
  const fix = page.locator('lab-editor .fix');
  await expect(fix).toContainText('Line 7, column 56: max.pol.records is no setting of a consumer.');
  await expect(fix).toContainText('Did you mean max.poll.records? Consumer setting since 0.10.0, 500 by default since 0.10.1.');
  await expect(page.locator('.say')).toContainText('You see the last run that worked. It stays until line 7 is mended; nothing is lost.');
  await expect(page.locator('.lab')).toHaveClass(/stale/);
  expect(await page.locator('lab-stage svg').first().getAttribute('aria-label')).toBe(before);
  expect(await branch(page)).toBe(1);
  const {violations} = await new AxeBuilder({page}).include('lab-page').analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target).join(' ')}`)).toEqual([]);
  await page.keyboard.press('Alt+Enter');
  await expect(fix).toHaveCount(0);
  await expect(page.locator('.lab')).not.toHaveClass(/stale/);
  expect((await lines(page))[6]).toContain('max.poll.records=5');
  await expect.poll(() => branch(page)).toBe(2);
});

test('it completes commands, settings and names, with default and version', async ({page}) => {
  await edit(page);
  await behind(page, 'group checkout');
  await page.keyboard.type(' max.po');
  const list = page.locator('.cm-tooltip-autocomplete li');
  await expect(list).toHaveCount(2);
  await expect(list.first()).toContainText('max.poll.interval.ms=');
  await expect(list.first()).toContainText('default 300000, since 0.10.1');
  await expect(page.locator('.cm-completionInfo')).toContainText('How long processing may take');
  await list.filter({hasText: 'max.poll.records='}).click();
  await page.keyboard.type('100');
  await behind(page, 'at 31s');
  await page.keyboard.press('Enter');
  await page.keyboard.type('at 40s st');
  await expect(list).toHaveText([/start/, /stop/, /stall/].map((r) => r));
  await list.filter({hasText: 'stop'}).click();
  await page.keyboard.type(' c');
  await expect(list).toHaveText([/c1/, /c2/, /c3/, /c4/]);
  await list.filter({hasText: 'c1'}).click();
  await expect.poll(() => lines(page).then((all) => all.find((l) => l.startsWith('at 40s')))).toBe('at 40s stop c1');
  await expect.poll(() => branch(page)).toBe(2);
});

test('hovering says what a word is for', async ({page}) => {
  await edit(page);
  await page.locator('lab-editor .tok-key', {hasText: 'session.timeout.ms'}).hover();
  await expect(page.locator('.hint')).toContainText('consumer setting, 45000 by default since 3.0');
  await expect(page.locator('.hint')).toContainText('How long a member may be silent');
});

test('acting on the picture writes the line', async ({page}) => {
  await edit(page);
  await page.keyboard.press('Escape');
  await who(page, 'c1').click({force: true});
  await page.getByRole('menuitem', {name: /Kill/}).click();
  await expect.poll(() => lines(page).then((all) => all.join('\n'))).toContain('at 41s kill c1');
  // The line belongs to the branch: changing it is another one.
  await behind(page, 'at 41s kill c1');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('3');
  await expect.poll(() => branch(page)).toBe(3);
  await settled(page);
});

test('Format writes it as the printer does, and undo brings back what stood there', async ({page}) => {
  await edit(page);
  await behind(page, 'brokers 3');
  await page.keyboard.press('Home');
  await page.keyboard.type('   ');
  await page.getByRole('button', {name: 'Format'}).click();
  await expect.poll(() => lines(page).then((all) => all[4])).toBe('brokers 3');
  await code(page).focus();
  await page.keyboard.press('Control+z');
  await expect.poll(() => lines(page).then((all) => all[4])).toBe('   brokers 3');
});

test('a text with an error is still there when the editor comes back', async ({page}) => {
  await edit(page);
  await behind(page, 'group checkout');
  await page.keyboard.type(' wrong');
  await expect(page.locator('lab-editor .fix')).toBeVisible();
  await page.getByRole('button', {name: 'close (e)'}).click();
  await expect(page.locator('lab-editor')).toHaveCount(0);
  await expect(sentence(page)).toContainText('22 more seconds');
  await page.keyboard.press('e');
  await expect(page.locator('lab-editor .fix')).toBeVisible();
  expect((await lines(page))[6]).toMatch(/ wrong$/);
  await page.keyboard.press('Control+z');
  await expect(page.locator('lab-editor .fix')).toHaveCount(0);
});

test('a text that is long to play does not hold up the next one', async ({page}) => {
  await edit(page);
  await behind(page, 'group checkout');
  // Everybody is removed again and again: hundreds of thousands of events.
  await page.keyboard.type(' max.poll.interval.ms=1');
  await page.waitForFunction(() => (document.querySelector('lab-page') as unknown as {run: {target: number}}).run.target === 2);
  await page.keyboard.type('00000');
  await expect.poll(() => branch(page)).toBe(2);
  await expect(sentence(page)).toContainText('22 more seconds');
  await expect(page.locator('lab-time .branch')).toHaveCount(2);
});

test('undo ends at the text that was opened', async ({page}) => {
  await edit(page);
  const before = await lines(page);
  await behind(page, 'brokers 3');
  await page.keyboard.type(' group.max.size=9');
  await expect.poll(() => branch(page)).toBe(2);
  for (let i = 0; i < 5; i++) await page.keyboard.press('Control+z');
  await expect.poll(() => lines(page)).toEqual(before);
});

test('what was typed before the editor closed is played', async ({page}) => {
  await edit(page);
  await behind(page, 'group checkout');
  for (let i = 0; i < 5; i++) await page.keyboard.press('Backspace');
  await page.keyboard.type('30000');
  await page.getByRole('button', {name: 'close (e)'}).click();
  await page.keyboard.press('e');
  await expect(sentence(page)).toContainText('7 more seconds');
  expect((await lines(page))[6]).toContain('session.timeout.ms=30000');
});

test('what the text says and the run is not stands below its line, and under the sentence', async ({page}) => {
  await edit(page);
  await behind(page, 'expect at 15s');
  await page.keyboard.press('Enter');
  await page.keyboard.type('at 25s start c1');
  await page.keyboard.press('Enter');
  await page.keyboard.type('expect at 30s group checkout members=9');
  await expect(page.locator('lab-editor .fix')).toHaveText([/Line 12, column 1: not carried out, .*c1 is running already/, /Line 13, column 1: expected members=9, got 3/]);
  await expect(page.locator('.say .short')).toContainText('Line 12: not carried out, c1 is running already; and 1 more.');
  await expect(page.locator('.lab')).not.toHaveClass(/stale/);
  await page.getByRole('button', {name: 'close (e)'}).click();
  await expect(page.locator('.say .short')).toBeVisible();
});

test('nothing is loaded for it before it is asked for, and Tab leaves it', async ({page}) => {
  const files: string[] = [];
  page.on('request', (r) => files.push(r.url()));
  await open(page, 'consumer-dies', 41);
  expect(files.some((f) => /editor-/.test(f))).toBe(false);
  await page.keyboard.press('e');
  await expect(code(page)).toBeFocused();
  expect(files.some((f) => /editor-/.test(f))).toBe(true);
  await page.keyboard.press('Tab');
  await expect(code(page)).not.toBeFocused();
  await page.keyboard.press('e');
  await expect(page.locator('lab-editor')).toHaveCount(0);
});

test('a name that needs quotes is acted on as itself', async ({page}) => {
  await openText(page, 'kafka 3.9\nbrokers 3\ntopic t partitions=4\nconsumer "a b","broker 1" group=g topics=t\nrun until 60s\n', 30e6);
  const text = () => page.evaluate(async () => {
    const {run} = document.querySelector('lab-page') as unknown as {run: {branch: number; engine: {ask(q: object): Promise<{text: string}>}}};
    return (await run.engine.ask({ask: 'text', branch: run.branch})).text;
  });
  for (const name of ['broker 1', 'a b']) {
    await page.locator('lab-stage g[data-node^="-"][role="button"]', {hasText: name}).first().click();
    await page.getByRole('menuitem', {name: /Kill/}).click();
    await expect.poll(text).toContain(`at 30s kill "${name}"`);
  }
});
