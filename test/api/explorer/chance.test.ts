import type { RequestListener } from 'node:http';
import test from 'ava';
import inject from 'light-my-request';
import { createApp } from '../../../api/app.ts';
import { chanceOf } from '../../../api/explorer/views/flight/chance.ts';
import type { FlightData } from '../../../api/explorer/views/flight/flight-data.ts';
import { monthsAgo } from '../../../api/explorer/views/format.ts';
import { scorePoints } from '../../../models/points.ts';
import { logit } from '../../../warehouse/ground/log-odds.ts';
import { SOME_KEY, someDeps } from '../helpers/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { PLACES_STORE } from '../helpers/places-store.ts';

const FLIGHT = '/flights/JFK-LAX-AA-2026-03-20?dep_time=07:30';
const SOURCE = '/explorer/flight?origin=JFK&dest=LAX&airline=AA&date=2026-03-20&dep_time=07:30';

function createGet(changes = {}) {
  const handle = createApp(someDeps({ ...explorerDeps(), ...changes })).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  return async (url: string, headers: Record<string, string> = {}) =>
    (await inject(listener, { method: 'GET', url, headers: { accept: '*/*', ...headers } }))
      .payload;
}

const get = createGet();
const getPage = async (url: string, language = 'en-GB') =>
  get(url, { accept: 'text/html', 'accept-language': language });

const percentText = (share: number) => `${Math.round(100 * share)}%`;
const lateText = ({ outlook }: Pick<FlightData['score'], 'outlook'>) =>
  percentText(
    outlook!.from_30_to_60 + outlook!.from_60_to_120 + outlook!.over_120 + outlook!.cancelled,
  );

test('the largest number of a flight page is its probability, beside interval and average flight', async (t) => {
  const payload = await getPage(FLIGHT);
  const { score } = JSON.parse(await get(SOURCE)) as FlightData;
  const { low, high } = score.interval!.ml_probability!;
  const [from, to] = [low, high].map((end) => Math.round(end + 100 * score.outlook!.cancelled));
  const [, chance = ''] = /<p class="chance">(.*?)<\/p>/s.exec(payload) ?? [];
  t.is(
    chance.replaceAll(/<[^>]*>/g, '|').replaceAll(/\s*\|[|\s]*/g, '|'),
    `|${lateText(score)}|late or cancelled|likely ${from}–${to}% (90% interval)|average flight on all routes: ${percentText(score.drivers.average_share)}|`,
  );
  t.true(payload.includes(`About ${lateText(score).slice(0, -1)} in 100 flights like this`));
});

test('the interval of a flight that is almost certainly late or cancelled ends at 100%', (t) => {
  const [late, cancelled] = [0.2, 0.27];
  const chance = chanceOf({
    outlook: {
      ...{ under_15: 0, from_15_to_30: 0, from_30_to_60: late, from_60_to_120: late },
      ...{ over_120: 0.33, diverted: 0, cancelled },
      beyond_120: { from_120_to_180: 0.13, over_180: 0.2 },
    },
    interval: { level: 0.9, low: 66, high: 94, ml_probability: { low: 22, high: 76 } },
    drivers: { average_share: 0.14 },
    data_source: 'exact',
  } as FlightData['score']);
  t.is(chance?.interval?.low, 0.22 + cancelled);
  t.is(chance?.interval?.high, 1);
});

test('a flight without a model has the probability of its statistics, beside the average flight', async (t) => {
  const statistics = createGet({ models: someDeps().models, assess: someDeps().assess });
  const path = '/api/score?origin=JFK&dest=LAX&airline=AA&date=2026-03-20&dep_time=07:30';
  const answer = JSON.parse(
    await statistics(`${path}&include=drivers,outlook,interval&api_key=${SOME_KEY}`),
  ) as FlightData['score'];
  t.is(answer.outlook, null);
  const { score: points } = scorePoints(logit(answer.drivers.disrupted_share), undefined);
  t.is(Math.round(points), answer.score);
  const { disrupted_share, average_share } = answer.drivers;
  const { interval } = answer;
  const payload = await statistics(FLIGHT, { accept: 'text/html', 'accept-language': 'en-GB' });
  const [, chance = ''] = /<p class="chance">(.*?)<\/p>/s.exec(payload) ?? [];
  t.is(
    chance.replaceAll(/<[^>]*>/g, '|').replaceAll(/\s*\|[|\s]*/g, '|'),
    `|${percentText(disrupted_share)}|late or cancelled|score likely ${interval!.low}–${interval!.high} (90% interval)|average flight on all routes: ${percentText(average_share)}|`,
  );
});

test('a flight page says how recent its data are', async (t) => {
  const path = '/api/score?origin=JFK&dest=LAX&airline=AA&date=2026-03-20&dep_time=07:30';
  const answer = JSON.parse(
    await get(`${path}&include=lineage&api_key=${SOME_KEY}`),
  ) as FlightData['score'];
  const { stats, lineage } = answer;
  const { today } = JSON.parse(await get(SOURCE)) as FlightData;
  const month = new Date(`${lineage.record!.last}-01`).toLocaleDateString('en-GB', {
    ...{ month: 'long', year: 'numeric', timeZone: 'UTC' },
  });
  const text = (await getPage(FLIGHT)).replaceAll(/<[^>]*>/g, '');
  const ageMin = Math.max(lineage.weather_dep.age_min ?? 0, lineage.weather_arr.age_min ?? 0);
  t.true(
    text.includes(
      `Data: ${stats.n_flights.toLocaleString('en-GB')} flights until ${month} (${monthsAgo(lineage.record!.last, today, 'en-GB')}); weather forecasts fetched ${ageMin} minutes ago.`,
    ),
  );
});

test('each line of the board shows the probability and the score of the API', async (t) => {
  const get = createGet({ stores: { current: () => PLACES_STORE } });
  const page = await get('/', { accept: 'text/html' });
  const lines = [
    ...page.matchAll(
      /href="\/flights\/(\w+)-(\w+)-(\w+)-([\d-]+)(\?dep_time=\d\d:00)?".*?<b>(\d+)%<\/b>\s*<small>(\d+)/gs,
    ),
  ];
  t.true(lines.length > 0);
  t.true(lines.some(([, , , , , time]) => time !== undefined));
  for (const [, origin, dest, airline, date, time, chance, score] of lines) {
    const path = `/api/score?origin=${origin}&dest=${dest}&airline=${airline}&date=${date}&include=outlook&${time?.replace('?', '') ?? ''}&`;
    const answer = JSON.parse(await get(`${path}api_key=${SOME_KEY}`)) as FlightData['score'];
    t.is(answer.score, Number(score));
    t.is(lateText(answer), `${chance}%`);
  }
});

test('dates are in English for visitors of every language', async (t) => {
  const payload = await getPage(FLIGHT, 'de-DE,de;q=0.9');
  t.true(payload.includes('Fri, 20 Mar 2026') && payload.includes('1.1 mm'));
  t.false(/Freitag|März|Mär\b/.test(payload));
});
