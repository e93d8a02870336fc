import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import pino from 'pino';
import { createAssess } from '../../../api/scoring/assess.ts';
import { realGazetteer } from '../../../bench/news/judged.ts';
import { assembleFeatures } from '../../../models/assemble.ts';
import { fakeUpstream } from '../../../bench/stage/fake-upstream.ts';
import { aStore, someStats } from '../../helpers/store.ts';
import { scoreUrl } from '../helpers/app.ts';
import { liveWorld } from '../helpers/live-world.ts';
import { aModel, shelfWith } from '../helpers/model.ts';

/** The flight with the least risk there is, so that what lifts it lifts all, and one of those with the most. */
const BEST = { delayedRate: 0.03, cancelledRate: 0.003, probability: 0.02 };
const WORST = { delayedRate: 0.35, cancelledRate: 0.08, probability: 0.4 };

const BANDS = ['Low', 'Moderate', 'High', 'Very High'];

type Line = {
  what: string;
  /** A headline of a feed, or a list of the FAA's status. */
  title?: string;
  status?: string;
  /** The band the best flight of today reaches at least. */
  atLeast: 'Low' | 'High' | 'Very High';
  /** What the sentences say. */
  says?: RegExp;
};

const program = (list: string, item: string, airport: string, rest = '') =>
  `<${list}><${item}><ARPT>${airport}</ARPT><Reason>any</Reason>${rest}</${item}></${list}>`;
const delay = (airport: string, type: string, longest: string) =>
  program(
    'Arrival_Departure_Delay_List',
    'Delay',
    airport,
    `<Arrival_Departure Type="${type}"><Min>15 minutes</Min><Max>${longest}</Max></Arrival_Departure>`,
  );

/** The table of docs/features.md, line by line; today is 10 March 2026, a Tuesday. */
const LINES: Line[] = [
  {
    what: 'a closure in the status, at the origin',
    status: program('Airport_Closure_List', 'Airport', 'JFK').replace('any', '!JFK AD AP CLSD'),
    atLeast: 'Very High',
    says: /JFK is closed today \(FAA airport status\)/,
  },
  {
    what: 'a closure in the status, at the destination',
    status: program('Airport_Closure_List', 'Airport', 'LAX').replace('any', '!LAX AD AP CLSD'),
    atLeast: 'Very High',
    says: /LAX is closed today \(FAA airport status\)/,
  },
  {
    what: 'a ground stop at the destination',
    status: program('Ground_Stop_List', 'Program', 'LAX'),
    atLeast: 'High',
    says: /a ground stop holds flights to LAX \(FAA airport status\)/,
  },
  {
    what: 'a ground delay of two hours at the destination',
    status: program('Ground_Delay_List', 'Ground_Delay', 'LAX', '<Avg>2 hours</Avg>'),
    atLeast: 'High',
    says: /a ground delay program holds flights to LAX/,
  },
  {
    what: 'departures delayed by two hours at the origin',
    status: delay('JFK', 'Departure', '2 hours'),
    atLeast: 'High',
    says: /departures from JFK are delayed/,
  },
  {
    what: 'departures delayed by half an hour',
    status: delay('JFK', 'Departure', '30 minutes'),
    atLeast: 'Low',
  },
  {
    what: 'a closure in the news',
    title: 'JFK closed after plane skids off runway',
    atLeast: 'Very High',
    says: /JFK is closed today \(The Wire\)/,
  },
  {
    what: 'an airline grounded nationwide by an IT outage',
    title: 'American Airlines grounds all flights nationwide after IT outage',
    atLeast: 'Very High',
    says: /American Airlines has grounded its flights today \(The Wire\)/,
  },
  {
    what: 'a strike that stops all flights',
    title: 'Strike at JFK airport: all flights cancelled',
    atLeast: 'Very High',
    says: /a strike stops all flights at JFK/,
  },
  {
    what: 'a strike announced for the day',
    title: 'Ground staff strike announced for 10 March at JFK airport',
    atLeast: 'High',
    says: /a strike is announced at JFK on 10 March \(The Wire\)/,
  },
  {
    what: 'a strike reported today for no day',
    title: 'Baggage handlers strike at JFK airport',
    atLeast: 'High',
    says: /a strike is announced at JFK \(The Wire\)/,
  },
  { what: 'delays, low in impact', title: 'Snow delays flights at JFK airport', atLeast: 'Low' },
];

const feedOf = (title: string) =>
  `<rss version="2.0"><channel><title>The Wire</title><item><title>${title}</title>` +
  `<link>https://wire.example/${encodeURIComponent(title)}</link>` +
  '<pubDate>Tue, 10 Mar 2026 13:00:00 GMT</pubDate></item></channel></rss>';
const statusOf = (lists: string) =>
  `<AIRPORT_STATUS_INFORMATION><Update_Time>now</Update_Time><Delay_type><Name>Any</Name>${lists}</Delay_type></AIRPORT_STATUS_INFORMATION>`;

type Flight = typeof BEST;
type Body = Record<string, unknown> & {
  score: number;
  label: string;
  recommendation: string;
  stats: { ml_probability: number; confidence_pct: number };
  score_linear: number;
  score_ml: number;
  outlook: Record<string, number>;
  components: { key: string; contribution: number }[];
};

async function aWorld(t: ExecutionContext, flight: Flight, flightCount = 5_000) {
  const { delayedRate, cancelledRate, probability } = flight;
  const stats = someStats({
    flightCount,
    completedCount: flightCount,
    delayedCount: Math.round(flightCount * delayedRate),
    cancelledCount: 0,
    delayedRate,
    cancelledRate,
  });
  const store = { ...aStore(), routeCarrier: () => stats, carriersOnRoute: () => [] };
  const { model } = await aModel(t, probability);
  const models = shelfWith(model);
  const log = pino({ level: 'silent' });
  const assess = createAssess({ models, assemble: assembleFeatures, log });
  const world = await liveWorld(t, await realGazetteer(), { store, models, assess });
  const served = { feed: '', status: '' };
  const { url } = await fakeUpstream(t, ({ pathname }) => ({
    headers: { 'content-type': 'application/xml' },
    body: pathname.startsWith('/status') ? served.status : served.feed,
  }));
  const query = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-03-10' };
  const until = async (isInForce: boolean) => {
    while ((world.danger(query) !== undefined) !== isInForce) await sleep(10);
  };
  let turns = 0;
  return {
    answer: async (date = '2026-03-10') =>
      (await world.ask(scoreUrl({ date, include: 'outlook,blend' }))).body as unknown as Body,
    explain: async () => {
      const url = scoreUrl({ date: '2026-03-10' }).replace('/api/score', '/api/explain');
      return String((await world.ask(url)).body['explanation']);
    },
    begin: async ({ title, status }: Line) => {
      served.feed = title === undefined ? '' : feedOf(title);
      served.status = statusOf(status ?? '');
      turns += 1;
      if (title !== undefined) await world.refreshNews([`${url}/feed/${turns}`]);
      if (status !== undefined) await world.refreshStatus(`${url}/status`);
      await until(true);
    },
    end: async () => {
      served.status = statusOf('');
      await world.refreshStatus(`${url}/status`);
      await world.forgetNews();
      await until(false);
    },
  };
}

for (const [which, flight] of Object.entries({ best: BEST, worst: WORST })) {
  test(`each event reaches score, model, outlook and words of the ${which} flight, and leaves no trace`, async (t) => {
    const { answer, explain, begin, end } = await aWorld(t, flight);
    const calm = JSON.stringify(await answer());
    const before = JSON.parse(calm) as Body;
    for (const line of LINES) {
      await begin(line);
      const given = await answer();
      const text = `${line.what}: ${given.score} ${given.label}: ${given.recommendation}`;
      t.true(BANDS.indexOf(given.label) >= BANDS.indexOf(line.atLeast), text);
      if (line.says) {
        t.regex(given.recommendation, line.says);
        t.regex(await explain(), new RegExp(line.says, 'i'));
        t.is(given.components[0]?.key, 'event_risk', text);
        t.true(given.stats.ml_probability > before.stats.ml_probability, text);
        t.true(given.outlook['cancelled']! > before.outlook['cancelled']!, text);
        t.true(given.outlook['under_15']! < before.outlook['under_15']!, text);
      } else {
        t.is(given.label, before.label, text);
      }
      const { outlook } = given;
      const late = outlook['from_30_to_60']! + outlook['from_60_to_120']! + outlook['over_120']!;
      t.true(Math.abs(100 * late - given.stats.ml_probability) < 1e-9, text);
      t.true(Math.abs(Object.values(outlook).reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
      t.is(given.score_ml, Math.round(given.stats.ml_probability));
      const later = await answer('2026-06-10');
      t.is(later.components.find(({ key }) => key === 'event_risk')?.contribution, 0, text);
      await end();
      t.is(JSON.stringify(await answer()), calm, line.what);
    }
  });
}

test('however few flights are known, a closure brings the highest the rule gives, and is named', async (t) => {
  for (const flightCount of [1, 5, 20]) {
    const { answer, begin } = await aWorld(t, BEST, flightCount);
    await begin(LINES[0]!);
    const given = await answer();
    const share = 0.3 * Math.min(1, (2 * flightCount) / (flightCount + 50));
    t.is(given.score_linear, 100);
    t.is(given.score, Math.round(70 + share * given.stats.ml_probability));
    t.true(given.stats.ml_probability > 45);
    t.regex(given.recommendation, /JFK is closed today/);
    if (flightCount === 20) t.is(given.label, 'Very High');
  }
});
