import test from 'ava';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createPageGet } from '../helpers/page-get.ts';

const FLIGHT = '/flights/JFK-LAX-AA-2026-03-20?dep_time=07:30';

test('other sites may link to every page, may frame only the widget, and cannot load a page', async (t) => {
  const admitted: number[] = [];
  const admit = async (_visitor: string, flights: number) => {
    admitted.push(flights);
    return 0;
  };
  const countedGet = createPageGet(explorerDeps({ admit }));
  const statusOf = async (url: string, dest: string, site = 'cross-site', mode = 'no-cors') => {
    const headers = { 'sec-fetch-site': site, 'sec-fetch-dest': dest, 'sec-fetch-mode': mode };
    return (await countedGet(url, { headers })).statusCode;
  };
  for (const dest of ['image', 'empty', 'script', 'iframe', 'object']) {
    t.is(await statusOf('/airports/JFK/today', dest), 403, dest);
    t.is(await statusOf(FLIGHT, dest, 'same-site'), 403, dest);
  }
  t.is(await statusOf(`/embed${FLIGHT}`, 'image'), 403);
  t.deepEqual(admitted, [], 'no refused request counts against the visitor');
  t.is(await statusOf(`/embed${FLIGHT}`, 'iframe', 'cross-site', 'navigate'), 200);
  t.is(await statusOf(FLIGHT, 'document', 'cross-site', 'navigate'), 200);
  t.is(await statusOf(FLIGHT, 'empty', 'cross-site', 'navigate'), 200, 'the service worker');
  t.is(await statusOf(FLIGHT, 'image', 'same-origin'), 200);
});

test('an image on another site does not use up the limit of the visitor', async (t) => {
  const visitors: string[] = [];
  const admit = async (visitor: string) => {
    visitors.push(visitor);
    return 0;
  };
  const countedGet = createPageGet(explorerDeps({ admit }));
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' };
  const card = '/cards/airports/JFK/today.png';
  t.is((await countedGet(card, { headers })).statusCode, 200);
  t.is((await countedGet(card)).statusCode, 200);
  const [elsewhere, own] = visitors;
  t.is(elsewhere, `${own}:cards`);
});
