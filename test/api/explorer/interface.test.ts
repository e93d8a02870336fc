import { readFile } from 'node:fs/promises';
import { serveApi } from '../helpers/served.ts';
import anyTest from 'ava';
import type { Page } from 'playwright-core';
import { SOME_KEY } from '../helpers/app.ts';
import { BROWSER, findAccessibilityIssues, openBrowser, openPage } from '../helpers/browser.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createClient } from '../../../api/clients/headwind.ts';
import type { InterfaceData } from '../../../api/explorer/views/interface/interface-data.ts';
import { callSnippet } from '../../../api/openapi/snippets.ts';
import { createJsonGet, createPageGet } from '../helpers/page-get.ts';

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
    await showEverySection(page);
    t.deepEqual(await findAccessibilityIssues(page), [], colorScheme);
  }
  await page.click('[data-theme-choice=contrast]');
  t.deepEqual(await findAccessibilityIssues(page), [], 'contrast');
  t.is(await page.inputValue('#api-key'), '');
  t.deepEqual(
    complaints.filter((one) => !one.includes('404')),
    [],
  );
});

test('a chosen language applies to the code of all calls and pages, and is remembered', async (t) => {
  const base = await serveApi(t, explorerDeps());
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const { page, complaints } = await openPage(t, browser, `${base}/docs`);
  const visible = async (language: string) =>
    (await page.locator(`.tabs .code.${language}`).all()).length ===
    (await page.locator(`.tabs .code.${language}:visible`).count());
  t.true(await visible('curl'));
  t.is(await page.locator('.tabs .code.python:visible').count(), 0);
  await page.click('#calendar [data-language-choice=python]');
  t.true(await visible('python'));
  t.is(await page.locator('.tabs .code.curl:visible').count(), 0);
  const pressed = '[data-language-choice][aria-pressed=true]';
  await page.reload();
  t.true(await visible('python'));
  const names = await page.locator(pressed).allTextContents();
  t.deepEqual([...new Set(names.map((name) => name.trim()))], ['Python']);
  await page.click('.top nav a[href="/airlines"]');
  await page.locator('.calls summary').first().click();
  t.true(await page.locator('#call-0-python').isVisible());
  t.false(await page.locator('#call-0-curl').isVisible());
  t.is(await page.locator(`.calls ${pressed}`).first().innerText(), 'Python');
  t.deepEqual(complaints, []);
  const plain = await openPage(t, browser, `${base}/docs`, { javaScriptEnabled: false });
  for (const language of ['curl', 'typescript', 'python']) {
    t.true(await plain.page.locator(`#score-${language}`).isVisible(), language);
  }
});

test('in a narrow column, the meaning of a field is below its name and uses the whole width', async (t) => {
  const base = await serveApi(t, explorerDeps());
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const { page } = await openPage(t, browser, `${base}/docs`, {
    viewport: { width: 390, height: 844 },
  });
  const row = page.locator('#createWatch tbody tr').first();
  await row.scrollIntoViewIfNeeded();
  const [name, meaning] = await Promise.all(
    ['th', 'td:last-child'].map((cell) => row.locator(cell).boundingBox()),
  );
  t.true(meaning!.y >= name!.y + name!.height);
  t.true(meaning!.width > 300, String(meaning!.width));
  t.is(await row.locator('td').first().innerText(), 'string, optional');
});

anyTest(
  'the code of each call names a function of the client, its method and its path',
  async (t) => {
    const { groups } = (await createJsonGet()('/explorer/interface')) as InterfaceData;
    const client = createClient({ baseUrl: 'http://localhost' }) as unknown as object;
    const calls = groups.flatMap((group) => group.calls).filter((call) => !call.isAnnounced);
    t.deepEqual(
      calls.map(({ id }) => id).filter((id) => !(id in client)),
      [],
    );
    const call = {
      ...{
        origin: 'http://localhost',
        path: '/api/watches/{id}',
        params: [['id', 'watch_1']] as const,
      },
      ...{ method: 'DELETE', operationId: 'deleteWatch' },
    };
    t.regex(
      callSnippet('curl', call),
      /^curl --request DELETE --get 'http:\/\/localhost\/api\/watches\/watch_1' \\/,
    );
    t.regex(callSnippet('typescript', call), /headwind\.deleteWatch\(\{ id: 'watch_1' \}\)/);
    t.regex(callSnippet('python', call), /headwind\.delete_watch\(id="watch_1"\)/);
  },
);

/** Scrolls through the page, because sections out of view have an estimated height and overlap until they were shown. */
async function showEverySection(page: Page): Promise<void> {
  for (const section of await page.locator('.endpoint').all()) {
    await section.scrollIntoViewIfNeeded();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

anyTest('both clients can be downloaded from the page, exactly as in the repository', async (t) => {
  const get = createPageGet();
  const { payload } = await get('/docs');
  for (const name of ['headwind.ts', 'headwind.py']) {
    t.true(payload.includes(`<a href="/clients/${name}" download>`), name);
    const { headers, payload: client } = await get(`/clients/${name}`);
    t.is(client, await readFile(new URL(`../../../api/clients/${name}`, import.meta.url), 'utf8'));
    t.is(headers['content-disposition'], `attachment; filename="${name}"`);
  }
  t.is((await get('/clients/write.ts')).statusCode, 404);
});
