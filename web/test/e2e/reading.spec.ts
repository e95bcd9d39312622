// What one reads beside the run: why, with its rule; all rules; what changed
// between two releases; the log with its keys, values and schemas.

import {readFileSync} from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import {expect, open, openText, reason, sentence, settled, test} from './page.ts';
import type {Page} from '@playwright/test';

const spec = readFileSync(new URL('../../../engine/SPEC.md', import.meta.url), 'utf8');
const dialog = (page: Page) => page.locator('.pop');
const axe = async (page: Page) => expect((await new AxeBuilder({page}).analyze()).violations).toEqual([]);

test('why says its guard and its rule; the rule opens beside its number and gives the focus back', async ({page}) => {
  await open(page, 'consumer-dies', 31.005);
  await page.keyboard.press('w');
  const first = page.locator('.why-list li').first();
  await expect(first).toContainText('checkout is PreparingRebalance');
  await expect(first).toContainText('because: c4 is new · JOIN-3');
  await expect(page.locator('.why-list')).toContainText('because: no member id, no instance id, and JoinGroup v9 ≥ v4 · JOIN-1');
  const number = page.locator('.why-list').getByRole('button', {name: 'Rule JOIN-1'});
  await number.press('Enter');
  const rule = page.getByRole('dialog', {name: 'Rule JOIN-1'});
  await expect(rule).toBeFocused();
  await expect(rule).toContainText('is answered MEMBER_ID_REQUIRED with a new id');
  await expect(rule).toContainText('Kafka 2.2.0+');
  await expect(rule).toContainText('In Kafka doNewMemberJoinGroup');
  const [at, box] = [(await number.boundingBox())!, (await rule.boundingBox())!];
  expect(box.y - (at.y + at.height)).toBeLessThan(12);
  expect(box.x + box.width).toBeLessThanOrEqual(1440);
  await axe(page);
  await page.keyboard.press('Escape');
  await expect(rule).toHaveCount(0);
  await expect(number).toBeFocused();
  await number.click();
  await expect(rule).toBeVisible();
  await number.click();
  await expect(rule).toHaveCount(0);
  await number.click();
  await sentence(page).click();
  await expect(rule).toHaveCount(0);
});

test('what is answered at the playhead says why, and a rule finds its events', async ({page}) => {
  await open(page, 'consumer-dies', 33.007);
  await page.getByRole('tab', {name: 'Events'}).click();
  await expect(page.locator('.evs .said')).toHaveCount(2);
  await expect(page.locator('.evs .said').first()).toHaveText(/because: the group is PreparingRebalance\s+· HB-3/);
  await page.getByRole('searchbox').fill('timer-2');
  await expect(page.locator('.evs .said')).toHaveText(/because: the initial delay is over\s+· TIMER-2/);
  await axe(page);
});

test('all rules of the engine can be read and searched, and one opens from its address', async ({page}) => {
  await open(page, 'consumer-dies', 33.007);
  await page.keyboard.press('r');
  const rules = page.getByRole('dialog', {name: 'Rules of the engine'});
  const field = rules.getByRole('searchbox');
  await expect(field).toBeFocused();
  await expect(rules.locator('dt')).toHaveCount(spec.match(/^- \*\*[A-Z]+-\d+\*\*/gm)!.length);
  await field.fill('validateCurrentMember fenced 3.0.0');
  await expect(rules.locator('dt').first()).toHaveText('STATIC-7');
  await field.fill('hb-1');
  await expect(rules.locator('dd').first()).toContainText('A fenced instance (82) comes before an unknown member (25)');
  await axe(page);
  await field.press('Escape');
  await expect(field).toHaveValue('');
  await field.press('Escape');
  await expect(rules).toHaveCount(0);
  await page.getByRole('tab', {name: 'Events'}).click();
  await page.locator('.evs').getByRole('button', {name: 'Rule HB-3'}).first().click();
  await dialog(page).getByRole('button', {name: 'All rules'}).press('Enter');
  await expect(rules.getByText('HB-3', {exact: true})).toBeInViewport();
  await page.goto('#rule=hb-1');
  await expect(page.getByRole('dialog', {name: 'Rule HB-1'})).toContainText('both come before a wrong generation');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', {name: 'Keys'}).getByRole('button', {name: 'What changed between two releases'}).click();
  await expect(page.getByLabel('one release')).toBeFocused();
});

test('the version of the run opens what changed between two releases, and the run plays on another one', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  const chip = page.getByRole('button', {name: 'Kafka 3.9'});
  await chip.press('Enter');
  const view = page.getByRole('dialog', {name: 'What changed between two releases'});
  const from = view.getByLabel('one release'), to = view.getByLabel('the other release');
  await expect(from).toBeFocused();
  await expect(from).toHaveValue('3.9.1');
  await from.selectOption('2.1');
  await to.selectOption('2.3');
  await expect(view.locator('li').filter({hasText: 'JoinGroup v4 hands out a member id with MEMBER_ID_REQUIRED (KIP-394).'})).toContainText('since 2.2.0');
  await expect(view).toContainText('2 behaviours lost');
  await expect(view.locator('li').filter({hasText: 'group.max.session.timeout.ms'})).toContainText('300000 → 1800000');
  await expect(view.locator('li.value').filter({hasText: 'JoinGroup'})).toContainText('v0–v3 → v0–v5');
  await axe(page);
  await view.getByRole('button', {name: 'exchange the two'}).click();
  await expect(view).toContainText('2 behaviours gained');
  await to.selectOption('2.3');
  await expect(view).toContainText('Of what is modelled nothing changed from 2.3 to 2.3.');
  await page.keyboard.press('Escape');
  await expect(view).toHaveCount(0);
  await expect(chip).toBeFocused();
  await chip.click();
  await from.selectOption('2.1');
  await to.selectOption('3.9');
  await view.getByRole('button', {name: 'Play this run on Kafka 2.1'}).click();
  await expect(view).toHaveCount(0);
  await expect(page.getByRole('button', {name: 'Kafka 2.1'})).toBeVisible();
  await expect(reason(page)).toContainText('this is branch 2. Branch 1 is kept.');
});

test('a setting that the other release does not have keeps the run where it is', async ({page}) => {
  await openText(page, 'kafka 3.9\nbrokers 3 group.max.size=9\ntopic orders partitions=2\nconsumer c1 group=checkout topics=orders\nrun until 20s\n', 5e6);
  await page.keyboard.press('v');
  const view = page.getByRole('dialog', {name: 'What changed between two releases'});
  await view.getByLabel('one release').selectOption('2.1');
  await view.getByLabel('the other release').selectOption('3.9');
  await view.getByRole('button', {name: 'Play this run on Kafka 2.1'}).click();
  await expect(view.getByRole('alert')).toContainText(/Line \d+: .*group\.max\.size/);
  await expect(page.getByRole('button', {name: 'Kafka 3.9'})).toBeVisible();
});

test('the log says key, value and schemas, what superseded a record, and what compaction leaves', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await page.getByRole('tab', {name: '__consumer_offsets'}).click();
  const rows = page.locator('.log tbody tr:not(.next)');
  await expect(page.locator('.log tr.live').first()).toContainText('v1→v3');
  await expect(page.locator('.log tr.live').last()).toContainText('v2→v3');
  await page.locator('.log tr.old button').first().press('Enter');
  await expect(page.locator('.log .full')).toContainText('Superseded by the record at 28: compaction removes it.');
  await expect(page.locator('.key-value')).toContainText(/Key v1\s*group checkout\s*topic orders\s*partition 5\s*Value v3\s*offset 310\s*leader_epoch 0/);
  await axe(page);
  await page.getByRole('button', {name: 'as compacted'}).click();
  await expect(rows).toHaveCount(7);
  await expect(page.locator('lab-log')).toContainText('7 of 29 records');
  const kept = await page.evaluate(() => (document.querySelector('lab-page') as unknown as {run: {view: {log: {records: {current: boolean; offset: number}[]}}}}).run.view.log.records.filter((r) => r.current).map((r) => String(r.offset)).reverse());
  expect(await rows.locator('td:first-child').allTextContents()).toEqual(kept);
});

test('a tombstone is told from a value; old releases write old schemas', async ({page}) => {
  await openText(page, 'kafka 0.9\nbrokers 3\ntopic orders partitions=2 rate=10/s\nconsumer c1 group=checkout topics=orders\nat 20s stop c1\nrun until 40s\n', 30e6);
  await page.getByRole('tab', {name: '__consumer_offsets'}).click();
  const tomb = page.locator('.log tr.tomb');
  await expect(tomb).toContainText('group checkout, tombstone');
  await expect(tomb).toContainText('v2→null');
  await tomb.getByRole('button').click();
  await expect(page.locator('.key-value')).toContainText('A tombstone: the key is deleted.');
  await expect(page.locator('.log tr.live').first()).toContainText('v1→v1');
  await page.locator('.log tr.live button').first().click();
  await expect(page.locator('.key-value')).toContainText('expire_timestamp');
  await expect(page.locator('.key-value')).not.toContainText('leader_epoch');
});

test('on a phone the rule, all rules and the releases fit', async ({page}) => {
  await page.setViewportSize({width: 420, height: 900});
  await open(page, 'consumer-dies', 33.007);
  await page.getByRole('button', {name: 'Events'}).click();
  await page.getByRole('button', {name: 'Rule HB-3'}).first().click();
  await expect(dialog(page)).toBeInViewport({ratio: 1});
  await axe(page);
  await dialog(page).getByRole('button', {name: 'All rules'}).click();
  await expect(dialog(page)).toBeInViewport({ratio: 1});
  await page.keyboard.press('Escape');
  await page.getByRole('button', {name: 'Kafka 3.9'}).click();
  await expect(dialog(page)).toBeInViewport({ratio: 1});
  await axe(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  await settled(page);
});
