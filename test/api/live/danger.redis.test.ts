import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import pino from 'pino';
import { createAssess } from '../../../api/scoring/assess.ts';
import { realGazetteer } from '../../../bench/news/judged.ts';
import { assembleRows } from '../../../models/assemble.ts';
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
  /** Log-odds of being late or cancelled it adds; told or measured an hour ago at most, little of it has faded. */
  logOdds: number;
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
    logOdds: 6,
    atLeast: 'Very High',
    says: /JFK is closed today \(FAA airport status\)/,
  },
  {
    what: 'a closure in the status, at the destination',
    status: program('Airport_Closure_List', 'Airport', 'LAX').replace('any', '!LAX AD AP CLSD'),
    logOdds: 6,
    atLeast: 'Very High',
    says: /LAX is closed today \(FAA airport status\)/,
  },
  {
    what: 'a ground stop at the destination',
    status: program('Ground_Stop_List', 'Program', 'LAX'),
    logOdds: 4,
    atLeast: 'High',
    says: /a ground stop holds flights to LAX \(FAA airport status\)/,
  },
  {
    what: 'a ground stop at the origin',
    status: program('Ground_Stop_List', 'Program', 'JFK'),
    logOdds: 2,
    atLeast: 'Low',
    says: /a ground stop holds flights to JFK/,
  },
  {
    what: 'a ground delay of two hours at the destination',
    status: program('Ground_Delay_List', 'Ground_Delay', 'LAX', '<Avg>2 hours</Avg>'),
    logOdds: 4,
    atLeast: 'High',
    says: /a ground delay program holds flights to LAX/,
  },
  {
    what: 'departures delayed by two hours at the origin',
    status: delay('JFK', 'Departure', '2 hours'),
    logOdds: 4,
    atLeast: 'High',
    says: /departures from JFK are delayed/,
  },
  {
    what: 'arrivals delayed by 75 minutes at the destination',
    status: delay('LAX', 'Arrival', '75 minutes'),
    logOdds: 2,
    atLeast: 'Low',
    says: /arrivals at LAX are delayed/,
  },
  {
    what: 'departures delayed by half an hour',
    status: delay('JFK', 'Departure', '30 minutes'),
    logOdds: 0,
    atLeast: 'Low',
  },
  {
    what: 'a closure in the news',
    title: 'JFK closed after plane skids off runway',
    logOdds: 6,
    atLeast: 'Very High',
    says: /JFK is closed today \(The Wire\)/,
  },
  {
    what: 'an airline grounded nationwide by an IT outage',
    title: 'American Airlines grounds all flights nationwide after IT outage',
    logOdds: 6,
    atLeast: 'Very High',
    says: /American Airlines has grounded its flights today \(The Wire\)/,
  },
  {
    what: 'a strike that stops all flights',
    title: 'Strike at JFK airport: all flights cancelled',
    logOdds: 6,
    atLeast: 'Very High',
    says: /a strike stops all flights at JFK/,
  },
  {
    what: 'a strike announced for the day',
    title: 'Ground staff strike announced for 10 March at JFK airport',
    logOdds: 4,
    atLeast: 'High',
    says: /a strike is announced at JFK on 10 March \(The Wire\)/,
  },
  {
    what: 'a strike reported today for no day',
    title: 'Baggage handlers strike at JFK airport',
    logOdds: 4,
    atLeast: 'High',
    says: /a strike is announced at JFK \(The Wire\)/,
  },
  {
    what: 'flights cancelled',
    title: 'Flights cancelled at JFK airport as storm hits',
    logOdds: 1.8,
    atLeast: 'Low',
    says: /bad weather is reported to disrupt flights at JFK \(The Wire\)/,
  },
  {
    what: 'an airline cancels flights at an airport',
    title: 'American Airlines cancels flights at JFK airport',
    logOdds: 1.8,
    atLeast: 'Low',
    says: /flights are reported to be disrupted for American Airlines at JFK/,
  },
  {
    what: 'flights suspended',
    title: 'JFK airport suspends flights after power failure',
    logOdds: 1.8,
    atLeast: 'Low',
    says: /a technical failure is reported to disrupt flights at JFK/,
  },
  {
    what: 'flights diverted',
    title: 'Flights diverted from JFK airport after bomb scare',
    logOdds: 0.8,
    atLeast: 'Low',
    says: /a security incident is reported to disrupt flights at JFK/,
  },
  {
    what: 'a strike threatened for no day',
    title: 'Baggage handlers threaten strike at JFK airport',
    logOdds: 0.8,
    atLeast: 'Low',
    says: /a strike is threatened at JFK \(The Wire\)/,
  },
  { what: 'delays', title: 'Snow delays flights at JFK airport', logOdds: 0, atLeast: 'Low' },
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

/** Of being later than 30 minutes or cancelled, by the outlook. */
function logOddsOfTrouble({ outlook }: Body): number {
  const fine = outlook['under_15']! + outlook['from_15_to_30']!;
  return Math.log((1 - fine) / fine);
}

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
  const { model } = aModel(probability);
  const models = shelfWith(model);
  const log = pino({ level: 'silent' });
  const assess = createAssess({ models, assemble: assembleRows, log });
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
        if (line.logOdds >= 4) t.is(given.components[0]?.key, 'event_risk', text);
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
      const added = logOddsOfTrouble(given) - logOddsOfTrouble(before);
      t.true(Math.abs(added - line.logOdds) <= 0.02 + 0.01 * line.logOdds, `${added} ${text}`);
      const later = await answer('2026-06-10');
      t.is(later.components.find(({ key }) => key === 'event_risk')?.contribution, 0, text);
      await end();
      t.is(JSON.stringify(await answer()), calm, line.what);
    }
  });
}

test('a closure is Very High from a confidence of 9 on; below, it brings the highest the rule gives, and is named', async (t) => {
  for (const flightCount of [1, 3, 5, 8, 20, 50]) {
    const { answer, begin } = await aWorld(t, BEST, flightCount);
    await begin(LINES[0]!);
    const given = await answer();
    const confidence = flightCount / (flightCount + 50);
    const share = 0.3 * Math.min(1, 2 * confidence);
    t.is(given.score_linear, 100);
    t.is(given.score, Math.round(70 + share * given.stats.ml_probability));
    // At a confidence of 0 it would be 90: what is cancelled is no delay.
    t.true(given.stats.ml_probability > (1 - 0.6 * confidence) * 88);
    t.regex(given.recommendation, /JFK is closed today/);
    t.is(given.label, confidence < 0.088 ? 'High' : 'Very High', `${confidence}: ${given.score}`);
  }
});
