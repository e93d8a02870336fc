import type { FlightStats, ScoreStore } from '../warehouse/store/types.ts';
import { statsOf } from './brands.ts';
import { congestionOf } from './congestion.ts';
import { confidenceOf, evidenceOf } from './evidence.ts';
import { riskLabel } from './label.ts';
import { factorsOf } from './factors.ts';
import { buildComponents, statisticalLogOdds } from './components.ts';
import { holidayOf } from './season.ts';
import { pointLine, scorePoints } from './points.ts';
import { carrierRates, priorRates } from './prior.ts';
import { applyDanger } from './danger.ts';
import { TYPICAL_RISK } from './weather-risk.ts';
import type { Assessment, DataTier, DayWeather, FlightQuery, LiveInputs } from './types.ts';

/** Weather at an airport without a forecast and without usual weather. */
export const UNKNOWN_WEATHER: DayWeather = {
  score: TYPICAL_RISK,
  condition: 'Unavailable',
  basis: 'none',
};

/**
 * Scores one flight from one store version and the live inputs; pure. The store must know both airports. If the airline
 * has no history on the route, the tier falls back to all airlines of the route, then to the record of the airports and
 * the airline.
 */
export function assessFlight(query: FlightQuery, store: ScoreStore, live: LiveInputs): Assessment {
  const { tier, stats } = findHistory(query, store);
  const evidence = evidenceOf(query, tier, store, live);
  const confidence = confidenceOf(tier, stats, evidence, store.network.priorFlights);
  const congestion = congestionOf(query, store);
  const weatherDep = live.weatherDep ?? UNKNOWN_WEATHER;
  const weatherArr = live.weatherArr ?? UNKNOWN_WEATHER;
  const holiday = evidence.unknown.includes('seasonality') ? undefined : holidayOf(query, store);
  const { danger } = live;
  const inputs = { rates: stats, congestion, evidence, weatherDep, weatherArr, holiday, danger };
  const factors = factorsOf(query, store, inputs);
  const logOdds = statisticalLogOdds(factors);
  const calmProbability = tier === 'no_data' ? undefined : live.mlProbability;
  const { late, cancelled } = applyDanger(
    { late: calmProbability ?? stats.delayedRate, cancelled: stats.cancelledRate },
    danger,
    confidence,
  );
  const modelPart = calmProbability === undefined ? undefined : { mlProbability: late, confidence };
  const points = scorePoints(logOdds, modelPart);
  const score = Math.round(points.score);
  return {
    tier,
    score,
    scoreLinear: Math.round(points.linear),
    exactScore: points.score,
    exactLinear: points.linear,
    logOdds,
    cancelledProbability: cancelled,
    label: riskLabel(score),
    components: buildComponents(factors, pointLine(modelPart), points.statistical),
    stats,
    confidence,
    congestionDep: congestion.dep,
    congestionArr: congestion.arr,
    weatherDep,
    weatherArr,
    ...evidence,
    ...(calmProbability !== undefined && {
      scoreMl: Math.round(100 * late),
      mlProbability: late,
      calmProbability,
    }),
    ...(holiday && holiday.logOdds !== 0 && { holiday }),
    ...(danger && { danger }),
  };
}

/** Returns the tier of a flight. In tier `no_data` the model is not used, because the route has no history. */
export function dataTier(query: Omit<FlightQuery, 'flightDate'>, store: ScoreStore): DataTier {
  if (statsOf(query, store)) return 'exact';
  return store.route(query.origin, query.dest) ? 'route_any_airline' : 'no_data';
}

/**
 * Returns the history of the airline on the route or, without it, of the route. In tier `no_data` all counts are zero
 * and the rates come from the prior.
 */
function findHistory(
  query: FlightQuery,
  store: ScoreStore,
): { tier: DataTier; stats: FlightStats } {
  const { origin, dest } = query;
  const exact = statsOf(query, store);
  if (exact) return { tier: 'exact', stats: exact };
  const route = store.route(origin, dest);
  if (route) {
    const rates = carrierRates(route, query, store);
    return { tier: 'route_any_airline', stats: { ...route, ...rates } };
  }
  const noFlights = {
    flightCount: 0,
    completedCount: 0,
    delayedCount: 0,
    cancelledCount: 0,
    delayedMinSum: 0,
  };
  return { tier: 'no_data', stats: { ...noFlights, ...priorRates(query, store) } };
}
