import { round, sum } from '../../warehouse/ground/numbers.ts';
import { DAY_MS, startOfMinute } from '../../warehouse/ground/dates.ts';
import { HOURS } from '../../warehouse/ground/hours.ts';
import { expit } from '../../warehouse/ground/log-odds.ts';
import { averageFlight } from '../../models/average-flight.ts';
import { monthsOf } from '../../models/brands.ts';
import { mlShare, LINEAR_SHARE } from '../../models/blend.ts';
import { isCurrentService } from '../../models/sold-airlines.ts';
import { driversOf, topDriver } from '../../models/drivers.ts';
import { pointLine } from '../../models/points.ts';
import { type ScoredFlight, flightBand } from '../../models/flight-curve.ts';
import { type PayoutTerm, payoutOf } from '../../models/payout.ts';
import type { Assessment, DataTier, DayWeather, FlightQuery } from '../../models/types.ts';
import { spanOfRecords } from '../../warehouse/store/record-months.ts';
import type { RecordMonths, ScoreStore } from '../../warehouse/store/types.ts';
import { assessNow, type AssessNowDeps } from '../scoring/assess.ts';
import { hourShare } from '../scoring/flown-hours.ts';
import type { ApiDeps } from '../deps.ts';
import type { KnownFlight } from '../scoring/flight-query.ts';
import { localDay } from '../local-day.ts';
import { INCLUDES, type Include, type IncludedParts } from '../schemas/include.ts';
import { accuracyStateOf } from './record-accuracy.ts';
import { distributionBodyOf, intervalBodyOf, outlookBodyOf } from './outlook-body.ts';
import { inferredBrandOf, operatorsBodyOf } from './operators-body.ts';
import type { PayoutBody } from '../schemas/payout.ts';
import { holidayBodyOf } from './calendar-body.ts';

/** An assessment with its flight and store. */
type AssessedFlight = { flight: KnownFlight; assessment: Assessment; store: ScoreStore };

type IncludeDeps = AssessNowDeps & Pick<ApiDeps, 'models' | 'eventSources' | 'now'>;

/** Optional parts of the answer that the call requests. */
export type RequestedParts = { include?: Include[] | undefined; payout?: PayoutTerm[] | undefined };

const MINUTE_MS = 60_000;

/** Computes only the requested parts, and returns them in a fixed order. */
export function includedPartsOf(
  { include: names = [], payout }: RequestedParts,
  assessed: AssessedFlight,
  deps: IncludeDeps,
): IncludedParts {
  const requested = INCLUDES.filter((name) => names.includes(name));
  return {
    ...Object.fromEntries(requested.map((name) => [name, PARTS[name](assessed, deps)])),
    ...(payout && { payout: payoutBodyOf(payout, scoredFlightOf(assessed)) }),
  };
}

function scoredFlightOf({ flight, assessment, store }: AssessedFlight): ScoredFlight {
  return { query: flight.query, assessment, store };
}

const PARTS: {
  [Name in Include]: (assessed: AssessedFlight, deps: IncludeDeps) => IncludedParts[Name];
} = {
  lineage: lineageOf,
  outlook: (assessed) => outlookBodyOf(scoredFlightOf(assessed)),
  distribution: (assessed) => distributionBodyOf(scoredFlightOf(assessed)),
  interval: ({ assessment, store }) => intervalBodyOf(assessment, store),
  by_hour: byHour,
  blend: blendOf,
  drivers: driversBody,
  operators: ({ flight, assessment, store }, deps) =>
    operatorsBodyOf(flight.query, assessment.tier, store, deps),
};

function lineageOf(
  { flight, assessment, store }: AssessedFlight,
  { models, eventSources, now }: IncludeDeps,
) {
  const { version, attribution, months, years = [], inferred = [] } = store.manifest;
  const { lastFlightDate, lastLevelMonth } = store.manifest;
  const hasModel = assessment.mlProbability !== undefined;
  const at = startOfMinute(now());
  const today = Date.parse(localDay(flight.origin.timeZone, at).date);
  const { newsAt, airportStatusAt } = eventSources(flight.query, store);
  return {
    store_version: version,
    attribution: attribution ?? null,
    months: {
      first: months[0] ?? null,
      last: months.at(-1) ?? null,
      count: months.length,
      years,
    },
    record: recordOf(assessment.tier, flight.query, store),
    brand: inferredBrandOf(flight.query, store),
    inferred: inferred.map(({ minutes, of, share, error }) => ({ minutes, of, share, error })),
    accuracy: accuracyStateOf(store),
    last_flight_date: lastFlightDate,
    levels_until: lastLevelMonth ?? null,
    // Null if the model was refused, failed, or was not used for this answer.
    model: (hasModel ? models.versionFor(store) : undefined) ?? null,
    weather_dep: weatherLineage(assessment.weatherDep, at),
    weather_arr: weatherLineage(assessment.weatherArr, at),
    news: { age_min: ageMin(newsAt, at) },
    airport_status: { age_min: ageMin(airportStatusAt, at) },
    horizon_days: (Date.parse(flight.query.flightDate) - today) / DAY_MS,
    unknown: [
      ...assessment.unknown,
      ...(newsAt === undefined && airportStatusAt === undefined ? (['event_risk'] as const) : []),
    ],
  };
}

/**
 * Returns the first and last month of the record behind the answer: the airline's record on the route, or the record of
 * all airlines on the route. Null without a record.
 */
function recordOf(tier: DataTier, query: FlightQuery, store: ScoreStore): RecordMonths | null {
  const { origin, dest } = query;
  if (tier === 'exact') return monthsOf(query, store) ?? null;
  const records = store
    .carriersOnRoute(origin, dest)
    .flatMap((stats) => store.recordMonths(origin, dest, stats.carrier) ?? []);
  return spanOfRecords(records) ?? null;
}

function weatherLineage({ basis, fetchedAt }: DayWeather, at: Date) {
  return { basis, age_min: ageMin(fetchedAt, at) };
}

/** Returns the minutes since a fetch. 0 if the clock of the fetching machine is ahead of ours. */
export function ageMin(fetchedAt: string | undefined, at: Date): number | null {
  if (fetchedAt === undefined) return null;
  return Math.round(Math.max(0, at.getTime() - Date.parse(fetchedAt)) / MINUTE_MS);
}

function byHour({ flight, store }: AssessedFlight, deps: IncludeDeps) {
  return HOURS.map(hourScorer({ flight, store }, deps));
}

/** Returns a function that scores the same flight at another departure hour. */
export function hourScorer(
  { flight, store }: Omit<AssessedFlight, 'assessment'>,
  deps: AssessNowDeps,
) {
  const isFlownAt = flownHours(flight, store);
  return (hour: number) => {
    const { score, label } = assessNow({ ...flight.query, crsDepHour: hour }, store, deps);
    return { hour, score, label, is_flown: isFlownAt(hour) };
  };
}

/** Minimum share of the airline's flights. In an hour with a smaller share, the airline hardly ever departs. */
const MIN_HOUR_SHARE = 0.001;

/**
 * Returns a function that checks whether the airline departs in an hour. Null means that the departure hours are
 * unknown. An airline that has left the route departs in no hour.
 */
function flownHours({ query }: KnownFlight, store: ScoreStore): (hour: number) => boolean | null {
  if (!isCurrentService(query, store)) return () => false;
  const shareOf = hourShare(query, store);
  return (hour) => (shareOf ? shareOf(hour) >= MIN_HOUR_SHARE : null);
}

function blendOf({ assessment }: AssessedFlight) {
  const { mlProbability, confidence } = assessment;
  const statistical = assessment.components.reduce((sum, part) => sum + part.contribution, 0);
  const hasModel = mlProbability !== undefined;
  const share = hasModel ? mlShare(confidence) : 0;
  const ml = modelPoints(assessment, mlProbability ?? 0);
  return {
    statistical_share: hasModel ? LINEAR_SHARE : 1,
    ml_share: round(share, 4),
    statistical_points: round(statistical, 2),
    ml_points: round(ml, 2),
    score_before_rounding: round(statistical + ml, 2),
  };
}

function driversBody({ assessment, store }: AssessedFlight) {
  const { components, logOdds, mlProbability, confidence } = assessment;
  const line = pointLine(mlProbability === undefined ? undefined : { mlProbability, confidence });
  const difference = sum(components.map(({ aboveAverage }) => aboveAverage));
  const average = averageFlight(store);
  return {
    top: topDriver(assessment)?.key ?? null,
    holiday: holidayBodyOf(assessment),
    average_points: round(line.slope * (logOdds - line.zero) - difference, 2),
    average_ml_points: round(
      modelPoints(assessment, expit(average.delay_rate + average.congestion)),
      2,
    ),
    average_share: round(expit(sum(Object.values(average))), 4),
    disrupted_share: round(expit(logOdds), 4),
    factors: driversOf(assessment).map(({ key, points }) => ({ key, points: round(points, 2) })),
  };
}

/** Returns the points that the model adds to a score if it forecasts `probability`; 0 without a model. */
function modelPoints({ mlProbability, confidence }: Assessment, probability: number): number {
  return mlProbability === undefined ? 0 : 100 * mlShare(confidence) * probability;
}

/** Builds the field `payout` of an answer. Null without a probability from the model. */
function payoutBodyOf(terms: PayoutTerm[], flight: ScoredFlight): PayoutBody {
  const band = flightBand(flight);
  if (!band) return null;
  const { expected, standardDeviation, low, high, probabilities } = payoutOf(terms, band);
  return {
    expected: round(expected, 2),
    standard_deviation: round(standardDeviation, 2),
    low: round(low, 2),
    high: round(high, 2),
    terms: terms.map(({ condition, amount }, at) => ({
      condition: String(condition),
      amount,
      probability: round(probabilities[at] as number, 4),
    })),
  };
}
