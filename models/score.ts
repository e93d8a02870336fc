import type { ScoreStore } from '../warehouse/store/types.ts';
import { congestionOf } from './congestion.ts';
import { confidenceOf, evidenceOf } from './evidence.ts';
import { riskLabel } from './label.ts';
import { factorsOf } from './factors.ts';
import { buildComponents, statisticalLogOdds } from './components.ts';
import { historyOf } from './history.ts';
import { holidayOf } from './season.ts';
import { pointLine, scorePoints } from './points.ts';
import { applyDanger } from './danger.ts';
import { TYPICAL_RISK } from './weather-risk.ts';
import type { Assessment, DayWeather, FlightQuery, LiveInputs } from './types.ts';

/** Weather at an airport without a forecast and without usual weather. */
export const UNKNOWN_WEATHER: DayWeather = {
  score: TYPICAL_RISK,
  condition: 'Unavailable',
  basis: 'none',
};

/**
 * Scores one flight from one store version and the live inputs, without side effects. The store must know both
 * airports. If the airline has no history on the route, uses the record of all airlines on the route. If the route has
 * no history, uses the record of the airports and the airline.
 */
export function assessFlight(query: FlightQuery, store: ScoreStore, live: LiveInputs): Assessment {
  const history = historyOf(query, store);
  const { tier, stats } = history;
  const evidence = evidenceOf(query, history, store, live);
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
  const assessment: Assessment = {
    ...evidence,
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
  };
  if (calmProbability !== undefined) {
    assessment.scoreMl = Math.round(100 * late);
    assessment.mlProbability = late;
    assessment.calmProbability = calmProbability;
  }
  if (holiday && holiday.logOdds !== 0) assessment.holiday = holiday;
  if (danger) assessment.danger = danger;
  return assessment;
}
