import test from 'ava';
import type { ApiDeps } from '../../../api/deps.ts';
import { lateShare } from '../../../api/explorer/views/flight/figures.ts';
import type { TodayData } from '../../../api/explorer/views/today/today-data.ts';
import type { ScoreBody } from '../../../api/schemas/score.ts';
import { explorerDeps, HOSTILE_NEWS } from '../helpers/explorer-world.ts';
import { createJsonGet, createPageGet, textOf } from '../helpers/page-get.ts';

const SOURCE = '/explorer/today?airport=JFK';
const BOARD = '/airports/JFK/today';
/**
 * The day, hours and airlines of the departures in the store. In each hour, every airline has the same number of
 * departures.
 */
const [DATE, HOURS, AIRLINES] = ['2026-03-10', ['06', '07', '08', '17'], ['AA', 'B6', 'DL']];

const json = createJsonGet();

/** Calls the API once for each airline's flight in this hour. */
const scoresAt = (hour: string) =>
  Promise.all(
    AIRLINES.map(async (airline) => {
      const path = `/api/score?origin=JFK&dest=LAX&airline=${airline}&date=${DATE}&dep_time=${hour}:00`;
      return (await json(`${path}&include=outlook,lineage,drivers`)) as ScoreBody;
    }),
  );
const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
const shareOf = ({ outlook }: ScoreBody) => lateShare(outlook!);
const percentText = (share: number) => `${Math.round(100 * share)}%`;

test('each hour of a board is the mean of the scores that the API gives', async (t) => {
  const data = (await json(SOURCE)) as TodayData;
  t.deepEqual(
    data.hours.map(({ hour }) => hour),
    HOURS.map(Number),
  );
  const page = (await createPageGet()(BOARD)).payload;
  for (const [at, hour] of HOURS.entries()) {
    const scores = await scoresAt(hour);
    const share = mean(scores.map(shareOf));
    t.true(Math.abs(data.hours[at]!.share! - share) < 1e-4, hour);
    t.is(data.hours[at]!.score, Math.round(mean(scores.map(({ score }) => score))));
    t.true(textOf(page).includes(`${hour}:00 ${percentText(share)} 25% of flights`), hour);
  }
  // It is ten o'clock in New York, so only the departures at 17:00 remain.
  const last = await scoresAt('17');
  t.is(data.rest?.score, data.hours[3]?.score);
  t.is(data.average, last[0]!.drivers!.average_share);
  t.true(textOf(page).includes(`average flight on all routes: ${percentText(data.average!)}`));
});

test('the highest risks, the weather and the ages on a board are those of the API', async (t) => {
  const data = (await json(SOURCE)) as TodayData;
  const scores = await scoresAt('17');
  const byAirline = new Map(scores.map((one) => [one.input.airline, one]));
  t.deepEqual(data.risks.map(({ airline }) => airline).toSorted(), AIRLINES);
  for (const { airline, score, label, share, hour } of data.risks) {
    const own = byAirline.get(airline)!;
    t.deepEqual([hour, score, label], [17, own.score, own.label]);
    t.true(Math.abs(share! - shareOf(own)) < 1e-4);
  }
  const ranks = data.risks.map(({ share }) => share!);
  t.deepEqual(
    ranks,
    ranks.toSorted((a, b) => b - a),
  );
  t.deepEqual(data.weather?.reading, scores[0]!.weather_dep);
  t.is(data.weather?.age_min, scores[0]!.lineage!.weather_dep.age_min);
  t.is(data.news.age_min, scores[0]!.lineage!.news.age_min);
});

const boardWith = async (deps: Partial<ApiDeps>) =>
  textOf((await createPageGet({ ...explorerDeps(), ...deps })(BOARD)).payload);

test('a board names the measures in force with their age, and says what is not live', async (t) => {
  const measures = [
    { airport: 'JFK', kind: 'stop' as const, severity: 0.8, reason: 'low ceilings' },
  ];
  const statusAt = '2026-03-10T13:55:00.000Z';
  const stopped = await boardWith({ airportEvents: () => ({ news: [], measures, statusAt }) });
  t.true(
    stopped.includes('Ground stop: flights to this airport may not depart (reason: low ceilings)'),
  );
  t.true(stopped.includes('FAA airport status, fetched 5 minutes ago'));
  t.false(stopped.includes('Nothing here is live'));
  const quiet = await boardWith({
    airportEvents: () => ({ news: [], measures: [], statusAt }),
  });
  t.true(quiet.includes('No closure or delay is in force'));
  const dead = await boardWith({ liveInputs: () => ({}), newsAt: () => undefined });
  t.true(dead.includes('Nothing here is live'));
  t.is(dead.match(/not live/g)?.length, 3, 'status, weather and news');
  t.true(
    (await createPageGet()('/airports/AKL/today')).payload.includes('has no departures from AKL'),
  );
});

test('the headings of a board do not skip a level, also with news', async (t) => {
  const airportEvents = () => ({ news: [HOSTILE_NEWS], measures: [], statusAt: undefined });
  const page = (await createPageGet({ ...explorerDeps(), airportEvents })(BOARD)).payload;
  const levels = [...page.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
  t.deepEqual(levels.slice(0, 3), [1, 2, 2]);
});

test('a board refreshes itself without script, unless its address turns this off', async (t) => {
  const get = createPageGet();
  const refresh = '<noscript><meta http-equiv="refresh" content="600"></noscript>';
  const board = (await get(BOARD)).payload;
  t.true(board.includes(refresh));
  t.true(board.includes(`href="${BOARD}?refresh=off"`));
  const still = (await get(`${BOARD}?refresh=off`)).payload;
  t.false(still.includes('http-equiv="refresh"'));
  t.true(still.includes('This page does not refresh itself'));
  t.false((await get('/airports/JFK')).payload.includes('http-equiv="refresh"'));
});
