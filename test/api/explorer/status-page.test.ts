import test from 'ava';
import inject from 'light-my-request';
import type { RequestListener } from 'node:http';
import { createApp } from '../../../api/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { FETCHED_AT, someDeps } from '../helpers/app.ts';

/** Returns the status page of a service with these times of fetches. */
async function pageWith(weather: string | undefined, news: string | undefined): Promise<string> {
  const times = { forecastsAt: () => weather, newsAt: () => news };
  const handle = createApp(someDeps({ ...explorerDeps(), ...times })).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  return (await inject(listener, { url: '/status', headers: { accept: 'text/html' } })).payload;
}

test('the status page names weather and news that are missing or old', async (t) => {
  t.true((await pageWith(FETCHED_AT, FETCHED_AT)).includes('everything works'));
  const missing = await pageWith(undefined, undefined);
  t.true(missing.includes('partly available'));
  t.true(missing.includes('Weather forecasts are missing or old, so scores use typical weather.'));
  t.true(missing.includes('No news has been fetched, so scores ignore news.'));
  const old = await pageWith(FETCHED_AT, '2026-03-09T00:00:00Z');
  t.true(old.includes('The news could not be fetched for six hours.'));
  t.false(old.includes('Weather forecasts are missing or old'));
});
