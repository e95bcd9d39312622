// The broker's log beside the events, and the way back from a line of a log.

import AxeBuilder from '@axe-core/playwright';
import {clock, expect, open, test} from './page.ts';
import type {Page} from '@playwright/test';

const field = (page: Page) => page.getByRole('searchbox');
const said = (page: Page) => page.locator('.found');
const picked = (page: Page) => page.evaluate(() => {
  const {run} = document.querySelector('lab-page') as unknown as {run: {picked: number; events: {n: number; kind: string}[]}};
  return run.events.find((e) => e.n === run.picked)?.kind ?? '';
});

/** What somebody has in the clipboard comes into the field. */
async function paste(page: Page, text: string): Promise<void> {
  await field(page).focus();
  await page.evaluate((text) => {
    const input = document.querySelector('lab-page')!.shadowRoot!.querySelector<HTMLInputElement>('#find')!;
    const data = new DataTransfer();
    data.setData('text/plain', text);
    if (input.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}))) {
      input.value = text;
      input.dispatchEvent(new InputEvent('input', {bubbles: true}));
    }
  }, text);
}

test('a line of a production log leads to the moment that it is about', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await page.keyboard.press('/');
  await paste(page, '[2024-05-01 12:00:00,123] INFO [GroupCoordinator 3]: Member app-1-0f0c in group payments has failed, removing it from the group (kafka.coordinator.group.GroupCoordinator)');
  await expect(clock(page)).toHaveText('63.0 s');
  expect(await picked(page)).toBe('member-removed');
  await expect(said(page)).toHaveText('A log line: app-1-0f0c was silent for too long and is removed. Here the group is checkout and the member is c2. Once in this run.');
  await expect(page.locator('.evs tr.picked')).toContainText('is removed');
  await expect(page.locator('.why-list li').first()).toContainText('c2 is removed');
});

test('of several places the first after the playhead; Enter goes on', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await page.getByRole('tab', {name: 'Events'}).click();
  await paste(page, 'Stabilized group checkout generation 9 (__consumer_offsets-18) with 3 members');
  await expect(said(page)).toContainText('2 of 2 in this run.');
  await expect(clock(page)).toHaveText('63.0 s');
  await field(page).press('Enter');
  await expect(said(page)).toContainText('1 of 2 in this run.');
  await expect(clock(page)).toHaveText('6.0 s');
  await said(page).getByRole('button', {name: 'next'}).click();
  await expect(clock(page)).toHaveText('63.0 s');
  await field(page).press('Escape');
  await expect(said(page)).toBeEmpty();
});

test('other releases, several lines, and lines that this run does not have', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await page.keyboard.press('/');
  await paste(page, 'Preparing to restabilize group checkout with old generation 1');
  await expect(said(page)).toContainText('A log line, as before Kafka 0.11: checkout begins a rebalance after generation 1.');
  await expect(clock(page)).toHaveText('31.0 s');
  await paste(page, 'at java.lang.Thread.run(Thread.java:829)\n[2024-05-01 12:00:00,123] INFO [GroupCoordinator id=3 topic=__consumer_offsets partition=4] Stabilized group checkout generation 2 with 3 members. (org.apache.kafka.coordinator.group.GroupMetadataManager)');
  await expect(said(page)).toContainText('as Kafka 4 prints it');
  await expect(clock(page)).toHaveText('63.0 s');
  await paste(page, 'Unloading group metadata for checkout with generation 3');
  await expect(said(page)).toHaveText('A log line: a broker forgets checkout, another one takes over. This run has no such line.');
  await expect(clock(page)).toHaveText('63.0 s');
});

test('each event that a broker logs can be shown as its line, and the line can be taken along', async ({page, context}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, 'consumer-dies', 63.2);
  await page.getByRole('tab', {name: 'Events'}).click();
  const toggle = page.getByRole('button', {name: 'log lines'});
  await expect(page.locator('.evs .line')).toHaveCount(0);
  await toggle.press('Enter');
  await expect(toggle).toHaveAttribute('aria-pressed', 'true');
  const line = page.locator('.evs .line').filter({hasText: 'Stabilized group checkout generation 2'});
  await expect(line).toContainText('INFO [GroupCoordinator 1]: Stabilized group checkout generation 2 (__consumer_offsets-18) with 3 members');
  await line.getByRole('button', {name: /^Copy the line/}).press('Enter');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe('[2024-01-01 00:01:03,007] INFO [GroupCoordinator 1]: Stabilized group checkout generation 2 (__consumer_offsets-18) with 3 members (kafka.coordinator.group.GroupCoordinator)');
  await paste(page, copied);
  await expect(said(page)).toContainText('Once in this run.');
  // Words of a line find its event.
  await field(page).fill('has failed');
  await expect(page.locator('.evs tr:not(.hd):not(.line)')).toHaveCount(1);
  const {violations} = await new AxeBuilder({page}).analyze();
  expect(violations).toEqual([]);
});

test('on a phone the events open from the line of the event', async ({page}) => {
  await page.setViewportSize({width: 420, height: 900});
  await open(page, 'consumer-dies', 41);
  const events = page.getByRole('button', {name: 'Events'});
  await events.press('Enter');
  await expect(events).toHaveAttribute('aria-expanded', 'true');
  await page.getByRole('button', {name: 'log lines'}).click();
  await expect(page.locator('.evs .line').first()).toBeVisible();
  await paste(page, 'Member app-1-0f0c in group payments has failed, removing it from the group');
  await expect(clock(page)).toHaveText('63.0 s');
  await expect(said(page)).toContainText('is removed');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  expect((await new AxeBuilder({page}).analyze()).violations).toEqual([]);
  await events.click();
  await expect(page.getByRole('tab', {name: 'Picture'})).toHaveAttribute('aria-selected', 'true');
});
