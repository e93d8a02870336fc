import test from 'ava';
import type { RankingData } from '../../../api/explorer/views/places/places-data.ts';
import type { AirlinesBody } from '../../../api/schemas/airlines.ts';
import type { Comparison } from '../../../warehouse/store/types.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createJsonGet, createPageGet, textOf } from '../helpers/page-get.ts';
import { PLACES_STORE as STORE } from '../helpers/places-store.ts';

const deps = { ...explorerDeps(), stores: { current: () => STORE } };
const json = createJsonGet(deps);
const getPage = createPageGet(deps);

/** Returns the text of the page above the part about the API. */
async function listText(address: string): Promise<string> {
  const text = textOf((await getPage(address)).payload);
  return text.slice(text.indexOf('How often each airline'), text.indexOf('Use the API'));
}

const numbersIn = (text: string) => text.match(/\d[\d,]*(\.\d+)?/g) ?? [];
const percent = (share: number, digits = 1) => `${Number((100 * share).toFixed(digits))}%`;

/** Ratio of a comparison in the store, and the ends of its 90% interval. */
const ratiosOf = ({ logRatio, logRatioSd }: Comparison) =>
  [0, -1.645, 1.645].map((deviations) => Math.exp(logRatio + deviations * logRatioSd).toFixed(2));

test('every number in the list of airlines comes from the comparisons of the store', async (t) => {
  const { rated, countries, span } = (await json('/explorer/ranking?of=airlines')) as RankingData;
  const text = await listText('/airlines');
  t.is(rated.length, 2);
  const shown = rated.map(({ code, name, usual }) => {
    const one = STORE.comparisons('carrier').find(({ key }) => key === code)!;
    const [ratio, low, high] = ratiosOf(one) as [string, string, string];
    const { completedCount: flights, delayedCount: late, otherCount: others } = one;
    const expected = percent(usual!.share);
    const row = `${name} ${code} ${ratio} ${low} ${high} ${flights} ${late} ${others} ${expected}`;
    t.true(text.includes(row), row);
    t.true(text.includes(`${name} ×${ratio}`), name);
    t.true(text.includes(`${name} ×${low} ×${high} ${flights} ${expected}`), name);
    // The tooltip says by how many percent flights are late more or less often.
    return `${row} ${Math.round(100 * Math.abs(Math.exp(one.logRatio) - 1))}`;
  });
  // Minutes after which a flight is late, level of the intervals in percent, and labels of the axis.
  const fixed = '30 90 0.67 1.5';
  const counts = `${rated.length} ${countries.map(({ items }) => items).join(' ')} ${span.months} 2025`;
  const known = new Set(numbersIn(`${shown.join(' ')} ${fixed} ${counts}`));
  t.deepEqual(
    numbersIn(text).filter((number) => !known.has(number)),
    [],
  );
});

test('the flights and late flights of the airlines of a country equal those of /api/airlines', async (t) => {
  const routes = new Set([...STORE.airlineRoutes()].map(({ origin, dest }) => `${origin}-${dest}`));
  const entries = await Array.fromAsync(routes, async (route) => {
    const [origin, dest] = route.split('-');
    return (await json(`/api/airlines?origin=${origin}&dest=${dest}`)) as AirlinesBody;
  });
  const text = await listText('/airlines?country=US');
  const byAirline = Map.groupBy(
    entries.flatMap(({ airlines }) => airlines),
    ({ airline }) => airline,
  );
  t.is(byAirline.size, 3);
  for (const all of byAirline.values()) {
    const flights = all.reduce((sum, one) => sum + one.total_flights, 0);
    const late = all.reduce((sum, one) => sum + one.total_flights * one.delay_rate, 0);
    const row = `${all[0]!.airline_name} ${flights.toLocaleString('en-GB')} ${percent(late / flights)} `;
    t.true(text.includes(row), row);
  }
});
