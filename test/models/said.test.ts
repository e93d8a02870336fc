import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { explanation } from '../../models/explanation.ts';
import { assessFlight } from '../../models/score.ts';
import type { Assessment, DayWeather } from '../../models/types.ts';
import { someDanger } from '../helpers/danger.ts';
import { aStore, someStats } from '../helpers/store.ts';

const RUNS = 5_000;

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

/** What a world may hold of a flight. */
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

function answerIn(world: World): { assessment: Assessment; told: string } {
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
  const holds = { origin: rest.origin, dest: rest.dest, carrier: rest.carrier };
  const congestion = (iata: string) => (iata === 'JFK' ? rest.congestionDep : rest.congestionArr);
  const store = {
    ...aStore(),
    routeCarrier: () => (tier === 'exact' ? stats : undefined),
    route: () => (tier === 'no_data' ? undefined : stats),
    groupRates: (kind: keyof typeof holds) =>
      holds[kind] ? { delayedRate, cancelledRate } : undefined,
    congestion,
    congestionByHour: (iata: string) => {
      const level = congestion(iata);
      return level === undefined ? undefined : new Float32Array(24).fill(level);
    },
    monthOdds: () => rest.monthOdds,
  };
  const query = { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-12-22' };
  const known = (weather: DayWeather | undefined, end: 'weatherDep' | 'weatherArr') =>
    weather && { [end]: weather };
  const assessment = assessFlight(query, store, {
    ...known(rest.weatherDep, 'weatherDep'),
    ...known(rest.weatherArr, 'weatherArr'),
    ...(rest.mlProbability !== undefined && { mlProbability: rest.mlProbability }),
    ...(rest.eventLogOdds !== undefined && {
      danger: someDanger({ logOdds: rest.eventLogOdds, cause: CLOSED }),
    }),
  });
  const names = { airline: 'American', origin: 'New York', dest: 'Los Angeles' };
  return { assessment, told: `${assessment.recommendation} ${explanation(assessment, names)}` };
}

/** A cause that speaks of nothing the rules here look for. */
const CLOSED = 'JFK is closed today (Test Wire)';

const NOT_KNOWN = /\b(not known|nothing is known|no flights?|none of|without a record)\b/i;

/** The clauses of the text that speak of a matter. */
function clausesAbout(matter: RegExp, told: string): string[] {
  return told
    .replaceAll(/\d\.\d/g, '0')
    .split(/[.:;(]| and | but |, /)
    .filter((clause) => matter.test(clause));
}

/** Holds the sentences of every answer against a rule, which says what is wrong. */
function every(
  t: ExecutionContext,
  wrongIn: (told: string, assessment: Assessment) => string | undefined,
) {
  t.notThrows(() =>
    fc.assert(
      fc.property(worlds, (world) => {
        const { assessment, told } = answerIn(world);
        const problem = wrongIn(told, assessment);
        if (problem !== undefined) throw new Error(`${problem}: ${told}`);
      }),
      { numRuns: RUNS },
    ),
  );
}

test('no flight is called safe on a confidence below 30, nor above the lowest band', (t) => {
  every(t, (told, { confidence, score }) =>
    /\bsafe/i.test(told) && (confidence < 0.3 || score > 30) ? 'a safety nobody knows' : undefined,
  );
});

test('an event in force that matters is named first, and makes no flight safe', (t) => {
  every(t, (told, { danger }) => {
    if (danger === undefined || danger.logOdds < Math.log(1.5)) return undefined;
    const [advice = ''] = told.split('. ');
    if (!advice.includes(CLOSED)) return 'an event left out';
    return /\bsafe/i.test(told) ? 'safe in an event' : undefined;
  });
});

test('no level of congestion is told that is not known', (t) => {
  every(t, (told, { unknown }) => {
    const isUnknown = unknown.includes('congestion_dep') && unknown.includes('congestion_arr');
    const claims = clausesAbout(/congest/i, told).filter((clause) => !NOT_KNOWN.test(clause));
    if (isUnknown && claims.length > 0) return `"${claims[0]}" though neither end is known`;
    const [, dep = '', arr = ''] =
      /Congestion is (.+) at New York and (.+) at Los Angeles/.exec(told) ?? [];
    const level = /low|moderate|high/;
    if (unknown.includes('congestion_dep') && level.test(dep)) return 'a level at the origin';
    return unknown.includes('congestion_arr') && level.test(arr)
      ? 'a level at the destination'
      : undefined;
  });
});

test('no weather and no season is a reason that is not known', (t) => {
  every(t, (told, { unknown }) => {
    const isSaid = (matter: RegExp) =>
      clausesAbout(matter, told).some((clause) => !NOT_KNOWN.test(clause));
    const isWeatherKnown = !unknown.includes('weather_dep') || !unknown.includes('weather_arr');
    if (!isWeatherKnown && isSaid(/weather|rain/i)) return 'a weather nobody knows';
    const ofSeason = /time of year|such a day|average day/i;
    return unknown.includes('seasonality') && isSaid(ofSeason)
      ? 'a season nobody knows'
      : undefined;
  });
});

test('no record is told of that the history does not hold', (t) => {
  every(t, (told, { tier, held, stats, unknown }) => {
    const records = [...told.matchAll(/record of ([a-z ]+?)(?=[:;,.(]|$)/g)].map(([, whose = '']) =>
      whose.trim(),
    );
    const known = {
      'this flight': tier === 'exact' && stats.flightCount >= 30,
      'this route': tier === 'route_any_airline' && stats.flightCount >= 30,
      'flights like it': tier !== 'no_data',
      'these airports': held.origin && held.dest,
      'the departure airport': held.origin,
      'the arrival airport': held.dest,
      'this airline': held.carrier,
      'the route': true,
    };
    const parts = records.flatMap((whose) => whose.split(' and '));
    const wrong = parts.find((part) => !known[part as keyof typeof known]);
    if (wrong !== undefined) return `a record of ${wrong}`;
    if (unknown.includes('delay_rate') && /\brecord \(/.test(told)) {
      return 'a record as a part of the score';
    }
    const counted = [...told.matchAll(/([\d,]+) flights?\b/g)].map(([, n = '']) =>
      Number(n.replaceAll(',', '')),
    );
    return counted.every((n) => n === stats.flightCount) ? undefined : 'another count of flights';
  });
});

test('one flight is one flight', (t) => {
  const [told = ''] = [1].map((flightCount) => {
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
    return explanation(assessment, {
      airline: 'American',
      origin: 'New York',
      dest: 'Los Angeles',
    });
  });
  t.true(
    told.startsWith(
      'Our history holds 1 flight of American from New York to Los Angeles: 1 of 1 arrived more than 30 minutes late, by 45 minutes, and 0 of 1 were cancelled.',
    ),
    told,
  );
});
