import { scoreOn, settled, tableOf, FLIGHT, type Case } from './world.ts';

/** A flight is asked for, changed, gone back to and sent. */
export const asking: Record<string, Case> = {
  'a stranger names a flight by cities and keys alone, and is answered at its own address': async (
    t,
    { open, at, dataAt },
  ) => {
    const { page, complaints } = await open(t, '/');
    // What is asked first stands open, and what is chosen leads on to the next field.
    t.true(await page.locator('#choices').isHidden());
    await page.keyboard.type('new y');
    await page.locator('#choices li').first().waitFor();
    t.is(await page.getAttribute('[name=origin]', 'aria-expanded'), 'true');
    await page.keyboard.press('ArrowDown');
    t.is(await page.getAttribute('[name=origin]', 'aria-activedescendant'), 'choice-0');
    await page.keyboard.press('Enter');
    t.is(await page.inputValue('[name=origin]'), 'JFK');
    await page.keyboard.type('los');
    await page.locator('#choices li', { hasText: 'Los Angeles' }).click();
    t.is(await page.inputValue('[name=dest]'), 'LAX');
    t.is(await page.locator('input:focus').getAttribute('name'), 'date');
    await page.fill('[name=date]', '2026-03-20');
    await page.keyboard.press('Enter');
    await page.locator('.score').waitFor();
    t.is(at(page), '/flights/JFK-LAX-AA-2026-03-20');
    const { score } = await dataAt(page, at(page));
    t.is(await scoreOn(page), String(score.score));
    t.is(await page.title(), `JFK–LAX AA 2026-03-20: ${score.score}, ${score.label} · Headwind`);
    // Found only by asking, as nobody flies there on record.
    await page.fill('[name=origin]', 'auck');
    await page.locator('#choices li', { hasText: 'Auckland' }).waitFor();
    await page.keyboard.press('Escape');
    t.true(await page.locator('#choices').isHidden());
    t.deepEqual(complaints, []);
  },
  'one thing changes, and score, pictures, calls and address follow; back and forward too': async (
    t,
    { open, at, dataAt },
  ) => {
    const { page, complaints } = await open(t, FLIGHT);
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    const first = await scoreOn(page);
    await page.locator('#airlines a', { hasText: 'Delta' }).click();
    const delta = '/flights/JFK-LAX-DL-2026-03-20?dep_time=07:30';
    await page.waitForURL(`**${delta}`);
    const { score, rivals } = await dataAt(page, delta);
    t.is(await scoreOn(page), String(score.score));
    t.not(String(score.score), first);
    t.is(await page.inputValue('[name=airline]'), 'DL');
    await settled(page);
    t.true((await page.locator('#call-0-curl').innerText()).includes("'airline=DL'"));
    const steps = await tableOf(page, 'contributions');
    t.is(await steps.locator('tbody tr:last-child td').first().innerText(), String(score.score));
    t.is(await (await tableOf(page, 'airlines')).locator('tbody tr').count(), rivals.length);
    await page.locator('#hours a').nth(17).click();
    await page.waitForURL('**?dep_time=17:00');
    await page.locator('[id^=month] a').nth(3).click();
    await page.waitForFunction(() => !location.href.includes('2026-03-20'));
    await page.fill('[name=date]', '2026-03-25');
    const asked = '/flights/JFK-LAX-DL-2026-03-25?dep_time=17:00';
    await page.waitForURL(`**${asked}`);
    // Asked for once more by the form, what is shown is no step.
    await page.locator('[name=date]').dispatchEvent('change');
    await page.waitForLoadState('networkidle');
    t.is(at(page), asked);
    for (let step = 0; step < 3; step++) await page.goBack();
    await page.waitForURL(`**${delta}`);
    await page.goBack();
    await page.waitForURL(`**${FLIGHT}`);
    t.is(await scoreOn(page), first);
    await page.goForward();
    t.is(await page.inputValue('[name=airline]'), 'DL');
    t.true(await page.evaluate(() => 'isSamePage' in globalThis), 'without a reload');
    // The other way round, which Delta does not fly on record.
    await page.click('[data-swap]');
    await page.waitForURL('**/flights/LAX-JFK-AA-*');
    t.deepEqual(complaints, []);
  },
  'an address that is sent shows the same to whoever opens it, also without script': async (
    t,
    { open, at },
  ) => {
    const { page } = await open(t, FLIGHT);
    const { page: bare } = await open(t, FLIGHT, { javaScriptEnabled: false });
    for (const place of ['.verdict', '#hours table', '#contributions table', '#basis']) {
      t.is(await bare.locator(place).textContent(), await page.locator(place).textContent(), place);
    }
    await bare.fill('[name=airline]', 'DL');
    await bare.click('.primary');
    t.is(at(bare), '/flights/JFK-LAX-DL-2026-03-20?dep_time=07:30');
  },
};
