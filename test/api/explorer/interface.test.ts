import { anAddress } from '../helpers/served.ts';
import anyTest from 'ava';
import { SOME_KEY } from '../helpers/app.ts';
import { BROWSER, flaws, openBrowser, openPage } from '../helpers/browser.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';

/** `make test` installs a browser; where it may not, these are skipped, and it has said so. */
const test = BROWSER === undefined ? anyTest.skip : anyTest;

test('a call is found by any of its words and tried out, and its key is nowhere but in the request', async (t) => {
  const base = await anAddress(t, explorerDeps());
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const { page, context, complaints } = await openPage(t, browser, `${base}/docs`);
  await page.fill('#find', 'delayed flights alone');
  const found = await page.locator('.endpoint:visible h3').allTextContents();
  t.true(found.includes('Stats') && !found.includes('Makes a key'), String(found));
  t.true((await page.locator('.fits').allTextContents()).some((row) => row.includes('avg_delay')));
  await page.fill('#find', 'zeppelin');
  t.is(await page.locator('#found').innerText(), 'Nothing here has “zeppelin”.');
  await page.fill('#find', '');
  await page.fill('#api-key', SOME_KEY);
  await page.fill('#score-airline', 'DL');
  await page.selectOption('#score-news', 'true');
  await page.click('#score .primary');
  await page.locator('#score-body').waitFor();
  const { origin, dest } = { origin: 'JFK', dest: 'LAX' };
  const asked = {
    origin,
    dest,
    airline: 'DL',
    date: '2026-03-20',
    news: 'true',
    api_key: SOME_KEY,
  };
  const answer = await page.request.get(`${base}/api/score?${new URLSearchParams(asked)}`);
  t.deepEqual(
    JSON.parse((await page.locator('#score-body').textContent()) ?? ''),
    await answer.json(),
  );
  t.regex(await page.locator('#score-outcome').innerText(), /^200 OK, .* calls left this month$/);
  t.true((await page.locator('#score-typescript').textContent())?.includes("airline: 'DL'"));
  await page.fill('#score-origin', 'ZZZ');
  await page.click('#score .primary');
  await page.locator('#score-outcome', { hasText: '404 Not Found' }).waitFor();
  t.is(page.url(), `${base}/docs`);
  t.false((await page.content()).includes(SOME_KEY));
  t.is((await context.storageState()).origins.length, 0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.reload();
    t.deepEqual(await flaws(page), [], colorScheme);
  }
  t.is(await page.inputValue('#api-key'), '');
  t.deepEqual(
    complaints.filter((one) => !one.includes('404')),
    [],
  );
});
