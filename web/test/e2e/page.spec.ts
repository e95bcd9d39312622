import {clock, expect, open, reason, sentence, settled, slider, test, who} from './page.ts';

test('the gallery asks eight questions, each with lanes of its own', async ({page}) => {
  await page.goto('');
  await expect(page.getByRole('heading', {level: 1})).toHaveText('Whom does the group wait for, and why?');
  const cards = page.locator('.card');
  await expect(cards).toHaveCount(8);
  await expect(cards.first().getByRole('heading')).toHaveText('Why did my group rebalance?');
  await expect(page.locator('.card .mini svg')).toHaveCount(8);
  await expect(page.locator('.card .mini svg').first().locator('.deadgap')).toHaveCount(2);
});

test('a card opens its scenario; Back comes back', async ({page}) => {
  await page.goto('');
  await page.getByRole('link', {name: /Why did my group rebalance/}).click();
  await expect(page).toHaveURL(/#s=consumer-dies/);
  await expect(sentence(page)).toContainText('Waiting for');
  await expect(page.locator('.chip')).toHaveText('Kafka 3.9');
  await page.goBack();
  await expect(page.locator('.card')).toHaveCount(8);
});

test('the sentence names the one that is waited for, the time and the setting', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await expect(sentence(page)).toHaveText(/^Waiting for c2, 2[23] more seconds, because of session\.timeout\.ms$/);
  await expect(reason(page)).toContainText('c2 was killed at 20.0 s without LeaveGroup');
  await expect(sentence(page).locator('.m2.dead')).toHaveText('c2');
  await expect(page).toHaveTitle(/Waiting for c2/);
});

test('what the sentence says, its bar and the inspector show', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await expect(page.locator('lab-stage rect.left').first()).toBeVisible();
  await expect(page.locator('lab-stage .due-line')).toBeAttached();
  const first = page.locator('.timers li').first();
  await expect(first).toHaveClass('first');
  await expect(first).toContainText('session.timeout.ms');
  await expect(first).toContainText('22.0 s');
  await expect(page.locator('.members tr')).toHaveCount(4);
});

test('killing c3 from its menu makes branch 2 and keeps branch 1', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await who(page, 'c3').click();
  const menu = page.getByRole('menu');
  await expect(menu).toContainText('parked in JoinGroup since 33.0 s');
  await expect(menu).toContainText('Branch 1 is kept.');
  await menu.getByRole('menuitem', {name: /Kill/}).click();
  await expect(reason(page)).toHaveText('You changed the past: this is branch 2. Branch 1 is kept.');
  await expect(page.locator('.rails .branch')).toHaveCount(2);
  await expect(page).toHaveURL(/#1=.*&t=41/);
  // What is done on it now goes on with it, and the menu says so; before its own command it makes another.
  await who(page, 'c1').click();
  await expect(menu).toContainText('Acts at 41.0 s and goes on with branch 2, which is yours.');
  await menu.getByRole('menuitem', {name: /Stop/}).click();
  await expect(page.locator('.rails .branch').nth(1)).toContainText('kill c3 +1');
  await expect(page.locator('.rails .branch')).toHaveCount(2);
  await page.keyboard.press('ArrowLeft');
  await who(page, 'c1').click();
  await expect(menu).toContainText('Branch 2 is kept.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await page.keyboard.press('b');
  await expect(page).toHaveURL(/#s=consumer-dies&t=41/);
  await settled(page);
  await expect(sentence(page)).toContainText('c2');
});

test('only what is possible now is offered', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await who(page, 'c2').click();
  await expect(page.getByRole('menuitem')).toHaveCount(1);
  await expect(page.getByRole('menuitem')).toContainText('Start');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(who(page, 'c2')).toBeFocused();
});

test('stalling asks for how long, cutting from which broker', async ({page}) => {
  await open(page, 'consumer-dies', 15);
  await who(page, 'c1').click();
  await page.keyboard.press('t');
  await expect(page.getByLabel('Stall for')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await expect(page.getByRole('menuitem')).toHaveCount(3);
  await page.keyboard.press('2');
  await expect(reason(page)).toContainText('branch 2');
});

test('a broker can be killed, and the page says which one is missed', async ({page}) => {
  await open(page, 'clean-stop', 15);
  await who(page, 'broker 1').click();
  await page.getByRole('menuitem', {name: /Kill/}).click();
  await expect(reason(page)).toContainText('branch 2');
  await page.keyboard.press('.');
  await settled(page);
  await expect(sentence(page)).toContainText('Waiting for a coordinator');
  await expect(reason(page)).toContainText('Broker 1 was killed at 15.0 s');
});

test('scrubbing back makes the sentence young again', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  const box = (await slider(page).boundingBox())!;
  await page.mouse.move(box.x + 600, box.y + 34);
  await page.mouse.down();
  await page.mouse.move(box.x + 136 + (box.width - 350) * 10 / 75, box.y + 34, {steps: 8});
  await page.mouse.up();
  await settled(page);
  await expect(sentence(page)).toHaveText(/^Everyone reads: 3 members, generation 1$/);
});

test('playing stops at the end, and never starts by itself', async ({page}) => {
  await open(page, 'first-join', 14.5);
  await expect(page.getByRole('button', {name: 'play (space)'})).toBeVisible();
  await page.keyboard.press(']');
  await page.keyboard.press('k');
  await expect(clock(page)).toHaveText('15.0 s');
  await expect(page.getByRole('button', {name: 'play (space)'})).toBeVisible();
});

test('the log shows what a new coordinator would load', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await page.getByRole('tab', {name: '__consumer_offsets'}).click();
  await expect(page.locator('lab-log h2')).toHaveText('__consumer_offsets-18');
  await expect(page.locator('.log tr.live')).toHaveCount(7);
  await expect(page.locator('lab-log')).toContainText('it would load generation 1 as Stable, with c1, c2 and c3');
});

test('a cause can be followed', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await page.getByRole('tab', {name: 'Events'}).click();
  const here = page.locator('.evs tr.here');
  await expect(here).toContainText('sends JoinGroup');
  await here.getByRole('button', {name: /^cause/}).click();
  await expect(page.locator('.why-list li').first()).toContainText('c3 sends JoinGroup');
  await expect(page.locator('.why-list .root')).toBeVisible();
});

test('the event list can be searched', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('REBALANCE_IN_PROGRESS');
  await expect(page.locator('.evs tr:not(.hd, .said)')).toHaveCount(2);
  await page.locator('.evs tr:not(.hd) button').first().click();
  await expect(clock(page)).toHaveText('33.0 s');
});

test('causal spacing and members can be chosen', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await page.getByRole('button', {name: 'causal'}).click();
  await expect(page.getByRole('button', {name: 'causal'})).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', {name: 'members'}).click();
  await expect(page.locator('lab-stage')).toContainText('orders-0, orders-1');
});

test('an unknown scenario says so above the questions', async ({page}) => {
  await page.goto('#s=nothing-of-that-name');
  await expect(page.getByRole('alert')).toContainText('nothing-of-that-name');
  await expect(page.locator('.card')).toHaveCount(8);
});

test('every question opens and speaks', async ({page}) => {
  for (const [name, at, says] of [['static-restart', 25, /^Waiting for c2, .*session\.timeout\.ms/], ['slow-record', 40, /^Waiting for c2, .*max\.poll\.interval\.ms/],
    ['eager-cooperative', 15, /^Everyone reads: 2 members/], ['coordinator-dies', 25, /^Waiting for a coordinator, .*broker\.session\.timeout\.ms/],
    ['first-join', 4, /^Waiting for more members, .*group\.initial\.rebalance\.delay\.ms/], ['clean-stop', 30, /^Everyone reads: 2 members/], ['kafka-0.9', 40, /^Waiting for c2, .*session\.timeout\.ms/]] as const) {
    await open(page, name, at);
    await expect(sentence(page)).toHaveText(says);
  }
});

test('a dead engine is replaced, and the scenario can be played again', async ({page, errors}) => {
  await page.route('**/engine.wasm', (route) => route.fulfill({status: 200, contentType: 'application/wasm', body: 'not wasm'}));
  await page.goto('#s=consumer-dies&t=41');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.locator('lab-stage')).toHaveCount(0);
  await page.unroute('**/engine.wasm');
  await page.getByRole('button', {name: 'Play the scenario again'}).click();
  await expect(sentence(page)).toContainText('Waiting for c2');
  errors.length = 0; // the browser reports what was broken on purpose
});
