import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { buildExplanation } from '../../models/explanation.ts';
import { buildRecommendation } from '../../models/recommendation.ts';
import { assessFlight } from '../../models/score.ts';
import type { Assessment, DayWeather } from '../../models/types.ts';
import { someDanger } from '../helpers/danger.ts';
import { aStore, someStats } from '../helpers/store.ts';

const RUNS = 10_000;

const rate = fc.double({ min: 0.001, max: 0.6, noNaN: true });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const flights = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 20_000 }));

const weather = fc.option(
  fc.record({
    score: share,
    condition: fc.constant('Heavy rain'),
    basis: fc.constantFrom('forecast' as const, 'climatology' as const),
  }),
  { nil: undefined },
);

/** Combinations of history, weather and events that a flight may have. */
const worlds = fc.record({
  tier: fc.constantFrom('exact', 'route_any_airline', 'no_data'),
  flightCount: flights,
  delayedRate: rate,
  cancelledRate: rate,
  origin: fc.boolean(),
  dest: fc.boolean(),
  carrier: fc.boolean(),
  congestionDep: fc.option(share, { nil: undefined }),
  congestionArr: fc.option(share, { nil: undefined }),
  monthOdds: fc.double({ min: 0.5, max: 2, noNaN: true }),
  weatherDep: weather,
  weatherArr: weather,
  mlProbability: fc.option(share, { nil: undefined }),
  eventLogOdds: fc.option(fc.double({ min: 0, max: 5, noNaN: true }), { nil: undefined }),
});

type World = typeof worlds extends fc.Arbitrary<infer Shape> ? Shape : never;

function assessIn(world: World): { assessment: Assessment; text: string } {
  const { tier, flightCount, delayedRate, cancelledRate, ...rest } = world;
  const late = Math.round(flightCount * delayedRate);
  const stats = someStats({
    flightCount,
    completedCount: flightCount,
    delayedCount: late,
    delayedMinSum: 60 * late,
    cancelledCount: 0,
    delayedRate,
    cancelledRate,
  });
  const hasRecord = { origin: rest.origin, dest: rest.dest, carrier: rest.carrier };
  const congestion = (iata: string) => (iata === 'JFK' ? rest.congestionDep : rest.congestionArr);
  const store = {
    ...aStore(),
    routeCarrier: () => (tier === 'exact' ? stats : undefined),
    route: () => (tier === 'no_data' ? undefined : stats),
    groupRates: (kind: keyof typeof hasRecord) =>
      hasRecord[kind] ? { delayedRate, cancelledRate } : undefined,
    congestion,
    congestionByHour: (iata: string) => {
      const level = congestion(iata);
      return level === undefined ? undefined : new Float32Array(24).fill(level);
    },
    monthOdds: () => rest.monthOdds,
  };
  const query = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-12-22' };
  const weatherInput = (weather: DayWeather | undefined, end: 'weatherDep' | 'weatherArr') =>
    weather && { [end]: weather };
  const assessment = assessFlight(query, store, {
    ...weatherInput(rest.weatherDep, 'weatherDep'),
    ...weatherInput(rest.weatherArr, 'weatherArr'),
    ...(rest.mlProbability !== undefined && { mlProbability: rest.mlProbability }),
    ...(rest.eventLogOdds !== undefined && {
      danger: someDanger({ logOdds: rest.eventLogOdds, cause: CLOSED }),
    }),
  });
  const names = { airline: 'American', origin: 'New York', dest: 'Los Angeles' };
  return {
    assessment,
    text: `${buildRecommendation(assessment)} ${buildExplanation(assessment, names)}`,
  };
}

/** A cause without any word that the rules below look for. */
const CLOSED = 'JFK is closed today (Test Wire)';

const NOT_KNOWN = /\b(not known|no flights?|no record)\b/i;

/** Returns the clauses of the text that mention a subject. */
function clausesAbout(matter: RegExp, text: string): string[] {
  return text
    .replaceAll(/\d\.\d/g, '0')
    .split(/[.:;(]| and | but |, /)
    .filter((clause) => matter.test(clause));
}

/** Checks the sentences of random answers with a rule that returns the problem, if any. */
function checkEveryAnswer(
  t: ExecutionContext,
  findProblem: (text: string, assessment: Assessment) => string | undefined,
) {
  t.notThrows(() =>
    fc.assert(
      fc.property(worlds, (world) => {
        const { assessment, text } = assessIn(world);
        const problem = findProblem(text, assessment);
        if (problem !== undefined) throw new Error(`${problem}: ${text}`);
      }),
      { numRuns: RUNS },
    ),
  );
}

test('no flight is called safe at a confidence below 30, nor above the lowest band', (t) => {
  checkEveryAnswer(t, (text, { confidence, score }) =>
    /\bsafe/i.test(text) && (confidence < 0.3 || score > 30)
      ? 'called safe without evidence'
      : undefined,
  );
});

test('a relevant event in force is named first, and no flight is then called safe', (t) => {
  checkEveryAnswer(t, (text, { danger }) => {
    if (danger === undefined || danger.logOdds < Math.log(1.5)) return undefined;
    const [advice = ''] = text.split('. ');
    if (!advice.includes(CLOSED)) return 'the event is missing';
    return /\bsafe/i.test(text) ? 'called safe during an event' : undefined;
  });
});

test('no congestion level is given that is not known', (t) => {
  checkEveryAnswer(t, (text, { unknown }) => {
    const isUnknown = unknown.includes('congestion_dep') && unknown.includes('congestion_arr');
    const levels = clausesAbout(/congest/i, text).filter((clause) => !NOT_KNOWN.test(clause));
    if (isUnknown && levels.length > 0) return `"${levels[0]}" though neither end is known`;
    const [, dep = '', arr = ''] =
      /Congestion is (.+) at New York and (.+) at Los Angeles/.exec(text) ?? [];
    const level = /low|moderate|high/;
    if (unknown.includes('congestion_dep') && level.test(dep)) {
      return 'an unknown level at the origin';
    }
    return unknown.includes('congestion_arr') && level.test(arr)
      ? 'an unknown level at the destination'
      : undefined;
  });
});

test('neither weather nor season is given as a reason when it is not known', (t) => {
  checkEveryAnswer(t, (text, { unknown }) => {
    const isClaimed = (matter: RegExp) =>
      clausesAbout(matter, text).some((clause) => !NOT_KNOWN.test(clause));
    const isWeatherKnown = !unknown.includes('weather_dep') || !unknown.includes('weather_arr');
    if (!isWeatherKnown && isClaimed(/weather|rain/i)) return 'unknown weather as a reason';
    const seasonWords = /time of year|such a day|average day/i;
    return unknown.includes('seasonality') && isClaimed(seasonWords)
      ? 'an unknown season as a reason'
      : undefined;
  });
});

test('no record is mentioned that is not in the history', (t) => {
  checkEveryAnswer(t, (text, { tier, hasRecord, stats, unknown }) => {
    const records = [...text.matchAll(/record of ([a-z ]+?)(?=[:;,.(]|$)/g)].map(([, owner = '']) =>
      owner.trim(),
    );
    const isOnRecord = {
      'this flight': tier === 'exact' && stats.flightCount >= 30,
      'this route': tier === 'route_any_airline' && stats.flightCount >= 30,
      'similar flights': tier !== 'no_data',
      'these airports': hasRecord.origin && hasRecord.dest,
      'the departure airport': hasRecord.origin,
      'the arrival airport': hasRecord.dest,
      'this airline': hasRecord.carrier,
      'the route': true,
    };
    const parts = records.flatMap((owner) => owner.split(' and '));
    const unknownOwner = parts.find((part) => !isOnRecord[part as keyof typeof isOnRecord]);
    if (unknownOwner !== undefined) return `no record of ${unknownOwner}`;
    if (unknown.includes('delay_rate') && /\brecord \(/.test(text)) {
      return 'an unknown record as a part of the score';
    }
    const counts = [...text.matchAll(/([\d,]+) flights?\b/g)].map(([, n = '']) =>
      Number(n.replaceAll(',', '')),
    );
    return counts.every((n) => n === stats.flightCount) ? undefined : 'a wrong count of flights';
  });
});

test('the explanation uses the singular for one flight', (t) => {
  const [text = ''] = [1].map((flightCount) => {
    const store = {
      ...aStore(),
      routeCarrier: () =>
        someStats({
          flightCount,
          completedCount: 1,
          delayedCount: 1,
          delayedMinSum: 45,
          cancelledCount: 0,
        }),
    };
    const assessment = assessFlight(
      { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-12-22' },
      store,
      {},
    );
    return buildExplanation(assessment, {
      airline: 'American',
      origin: 'New York',
      dest: 'Los Angeles',
    });
  });
  t.true(
    text.startsWith(
      'Our history has 1 flight of American from New York to Los Angeles: 1 of 1 arrived more than 30 minutes late, by 45 minutes, and 0 of 1 were cancelled.',
    ),
    text,
  );
});
