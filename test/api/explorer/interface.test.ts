import { serveApi } from '../helpers/served.ts';
import anyTest from 'ava';
import { SOME_KEY } from '../helpers/app.ts';
import { BROWSER, findAccessibilityIssues, openBrowser, openPage } from '../helpers/browser.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';

/** `make test` installs a browser. If it may not do so, it prints a note, and this test is skipped. */
const test = BROWSER === undefined ? anyTest.skip : anyTest;

test('the search finds a call by any of its words, the form sends the call, and only the request contains the key', async (t) => {
  const base = await serveApi(t, explorerDeps());
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const { page, context, complaints } = await openPage(t, browser, `${base}/docs`);
  await page.fill('#find', 'average delay more late');
  const headings = await page.locator('.endpoint:visible h3').allTextContents();
  t.true(headings.includes('Stats') && !headings.includes('Create a key'), String(headings));
  t.true((await page.locator('.fits').allTextContents()).some((row) => row.includes('avg_delay')));
  await page.fill('#find', 'zeppelin');
  t.is(await page.locator('#found').innerText(), 'Nothing here matches “zeppelin”.');
  await page.fill('#find', '');
  await page.fill('#api-key', SOME_KEY);
  await page.fill('#score-airline', 'DL');
  await page.selectOption('#score-news', 'true');
  await page.click('#score .primary');
  await page.locator('#score-body').waitFor();
  const { origin, dest } = { origin: 'JFK', dest: 'LAX' };
  const query = {
    origin,
    dest,
    airline: 'DL',
    date: '2026-03-20',
    news: 'true',
    api_key: SOME_KEY,
  };
  const answer = await page.request.get(`${base}/api/score?${new URLSearchParams(query)}`);
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
    t.deepEqual(await findAccessibilityIssues(page), [], colorScheme);
  }
  t.is(await page.inputValue('#api-key'), '');
  t.deepEqual(
    complaints.filter((one) => !one.includes('404')),
    [],
  );
});
