import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import pino from 'pino';
import { createAssess } from '../../../api/scoring/assess.ts';
import { loadGazetteer } from '../../../bench/news/classify.ts';
import { assembleRows } from '../../../models/assemble.ts';
import { fakeUpstream } from '../../../bench/stage/fake-upstream.ts';
import { aStore, someStats } from '../../helpers/store.ts';
import { scoreUrl } from '../helpers/app.ts';
import { liveWorld } from '../helpers/live-world.ts';
import { aModel, modelsWith } from '../helpers/model.ts';

/**
 * Flights with very low and very high risk. If an event raises `BEST` to a band, it raises all flights to that band or
 * a higher one.
 */
const BEST = { delayedRate: 0.03, cancelledRate: 0.003, probability: 0.02 };
const WORST = { delayedRate: 0.35, cancelledRate: 0.08, probability: 0.4 };

const BANDS = ['Low', 'Moderate', 'High', 'Very High'];

type Line = {
  event: string;
  /** The event is either a headline of a feed (`title`) or a list in the FAA's airport status (`status`). */
  title?: string;
  status?: string;
  /** Added log-odds of being late or cancelled. The event is at most an hour old, so its effect has hardly faded. */
  logOdds: number;
  /** Lowest allowed band for today's low-risk flight during the event. */
  atLeast: 'Low' | 'High' | 'Very High';
  /** Text in the recommendation and the explanation. */
  sentence?: RegExp;
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

/** The table of docs/features.md, one entry per line; today is 10 March 2026, a Tuesday. */
const LINES: Line[] = [
  {
    event: 'a closure in the status, at the origin',
    status: program('Airport_Closure_List', 'Airport', 'JFK').replace('any', '!JFK AD AP CLSD'),
    logOdds: 6,
    atLeast: 'Very High',
    sentence: /JFK is closed today \(FAA airport status\)/,
  },
  {
    event: 'a closure in the status, at the destination',
    status: program('Airport_Closure_List', 'Airport', 'LAX').replace('any', '!LAX AD AP CLSD'),
    logOdds: 6,
    atLeast: 'Very High',
    sentence: /LAX is closed today \(FAA airport status\)/,
  },
  {
    event: 'a ground stop at the destination',
    status: program('Ground_Stop_List', 'Program', 'LAX'),
    logOdds: 4,
    atLeast: 'High',
    sentence: /a ground stop holds flights to LAX \(FAA airport status\)/,
  },
  {
    event: 'a ground stop at the origin',
    status: program('Ground_Stop_List', 'Program', 'JFK'),
    logOdds: 2,
    atLeast: 'Low',
    sentence: /a ground stop holds flights to JFK/,
  },
  {
    event: 'a ground delay of two hours at the destination',
    status: program('Ground_Delay_List', 'Ground_Delay', 'LAX', '<Avg>2 hours</Avg>'),
    logOdds: 4,
    atLeast: 'High',
    sentence: /a ground delay program holds flights to LAX/,
  },
  {
    event: 'departures delayed by two hours at the origin',
    status: delay('JFK', 'Departure', '2 hours'),
    logOdds: 4,
    atLeast: 'High',
    sentence: /departures from JFK are delayed/,
  },
  {
    event: 'arrivals delayed by 75 minutes at the destination',
    status: delay('LAX', 'Arrival', '75 minutes'),
    logOdds: 2,
    atLeast: 'Low',
    sentence: /arrivals at LAX are delayed/,
  },
  {
    event: 'departures delayed by half an hour',
    status: delay('JFK', 'Departure', '30 minutes'),
    logOdds: 0,
    atLeast: 'Low',
  },
  {
    event: 'a closure in the news',
    title: 'JFK closed after plane skids off runway',
    logOdds: 6,
    atLeast: 'Very High',
    sentence: /JFK is closed today \(The Wire\)/,
  },
  {
    event: 'an airline grounded nationwide by an IT outage',
    title: 'American Airlines grounds all flights nationwide after IT outage',
    logOdds: 6,
    atLeast: 'Very High',
    sentence: /American Airlines has grounded its flights today \(The Wire\)/,
  },
  {
    event: 'a strike that stops all flights',
    title: 'Strike at JFK airport: all flights cancelled',
    logOdds: 6,
    atLeast: 'Very High',
    sentence: /a strike stops all flights at JFK/,
  },
  {
    event: 'a strike announced for the day',
    title: 'Ground staff strike announced for 10 March at JFK airport',
    logOdds: 4,
    atLeast: 'High',
    sentence: /a strike is announced at JFK on 10 March \(The Wire\)/,
  },
  {
    event: 'a strike reported today for no day',
    title: 'Baggage handlers strike at JFK airport',
    logOdds: 4,
    atLeast: 'High',
    sentence: /a strike is announced at JFK \(The Wire\)/,
  },
  {
    event: 'flights cancelled',
    title: 'Flights cancelled at JFK airport as storm hits',
    logOdds: 1.8,
    atLeast: 'Low',
    sentence: /bad weather is reported to disrupt flights at JFK \(The Wire\)/,
  },
  {
    event: 'an airline cancels flights at an airport',
    title: 'American Airlines cancels flights at JFK airport',
    logOdds: 1.8,
    atLeast: 'Low',
    sentence: /flights are reported to be disrupted for American Airlines at JFK/,
  },
  {
    event: 'flights suspended',
    title: 'JFK airport suspends flights after power failure',
    logOdds: 1.8,
    atLeast: 'Low',
    sentence: /a technical failure is reported to disrupt flights at JFK/,
  },
  {
    event: 'flights diverted',
    title: 'Flights diverted from JFK airport after bomb scare',
    logOdds: 0.8,
    atLeast: 'Low',
    sentence: /a security incident is reported to disrupt flights at JFK/,
  },
  {
    event: 'a strike threatened for no day',
    title: 'Baggage handlers threaten strike at JFK airport',
    logOdds: 0.8,
    atLeast: 'Low',
    sentence: /a strike is threatened at JFK \(The Wire\)/,
  },
  { event: 'delays', title: 'Snow delays flights at JFK airport', logOdds: 0, atLeast: 'Low' },
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

/** Returns the log-odds of being over 30 minutes late or cancelled, from the outlook. */
function disruptionLogOdds({ outlook }: Body): number {
  const fine = outlook['under_15']! + outlook['from_15_to_30']!;
  return Math.log((1 - fine - outlook['diverted']!) / fine);
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
  const models = modelsWith(model);
  const log = pino({ level: 'silent' });
  const assess = createAssess({ models, assemble: assembleRows, log });
  const world = await liveWorld(t, await loadGazetteer(), { store, models, assess });
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
      (await world.sendRequest(scoreUrl({ date, include: 'outlook,blend' })))
        .body as unknown as Body,
    explain: async () => {
      const url = scoreUrl({ date: '2026-03-10' }).replace('/api/score', '/api/explain');
      return String((await world.sendRequest(url)).body['explanation']);
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
  test(`each event changes score, model, outlook and texts of the ${which} flight, and its end restores the former answer`, async (t) => {
    const { answer, explain, begin, end } = await aWorld(t, flight);
    const calm = JSON.stringify(await answer());
    const before = JSON.parse(calm) as Body;
    for (const line of LINES) {
      await begin(line);
      const during = await answer();
      const text = `${line.event}: ${during.score} ${during.label}: ${during.recommendation}`;
      t.true(BANDS.indexOf(during.label) >= BANDS.indexOf(line.atLeast), text);
      if (line.sentence) {
        t.regex(during.recommendation, line.sentence);
        t.regex(await explain(), new RegExp(line.sentence, 'i'));
        if (line.logOdds >= 4) t.is(during.components[0]?.key, 'event_risk', text);
        t.true(during.stats.ml_probability > before.stats.ml_probability, text);
        t.true(during.outlook['cancelled']! > before.outlook['cancelled']!, text);
        t.true(during.outlook['under_15']! < before.outlook['under_15']!, text);
      } else {
        t.is(during.label, before.label, text);
      }
      const { beyond_120: _, ...outlook } = during.outlook; // It divides `over_120`.
      const late = outlook['from_30_to_60']! + outlook['from_60_to_120']! + outlook['over_120']!;
      t.true(Math.abs(100 * late - during.stats.ml_probability) < 1e-9, text);
      t.true(Math.abs(Object.values(outlook).reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
      t.is(during.score_ml, Math.round(during.stats.ml_probability));
      const added = disruptionLogOdds(during) - disruptionLogOdds(before);
      t.true(Math.abs(added - line.logOdds) <= 0.02 + 0.01 * line.logOdds, `${added} ${text}`);
      const later = await answer('2026-06-10');
      t.is(later.components.find(({ key }) => key === 'event_risk')?.contribution, 0, text);
      await end();
      t.is(JSON.stringify(await answer()), calm, line.event);
    }
  });
}

test('a closure is named and gives Very High from a confidence of 9 %; below 9 % it gives the highest possible score', async (t) => {
  for (const flightCount of [1, 3, 5, 8, 20, 50]) {
    const { answer, begin } = await aWorld(t, BEST, flightCount);
    await begin(LINES[0]!);
    const during = await answer();
    const confidence = flightCount / (flightCount + 50);
    const share = 0.3 * Math.min(1, 2 * confidence);
    t.is(during.score_linear, 100);
    t.is(during.score, Math.round(70 + share * during.stats.ml_probability));
    // At a confidence of 0 the ML probability would be 90: cancelled flights do not count as delayed.
    t.true(during.stats.ml_probability > (1 - 0.6 * confidence) * 88);
    t.regex(during.recommendation, /JFK is closed today/);
    t.is(during.label, confidence < 0.088 ? 'High' : 'Very High', `${confidence}: ${during.score}`);
  }
});
