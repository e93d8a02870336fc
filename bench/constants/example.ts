import { outcomeOddsOf } from '../../models/outcome-odds.ts';
import { flightBand, type ScoredFlight } from '../../models/flight-curve.ts';
import { DELAY_MINUTES, stepShare } from '../../models/delay-curve.ts';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { openModel, type Model } from '../../models/onnx/model.ts';
import { buildOutlook } from '../../models/outlook.ts';
import { payoutOf, type PayoutTerm } from '../../models/payout.ts';
import { assessFlight } from '../../models/score.ts';
import type { FlightQuery } from '../../models/types.ts';
import { findModel } from '../../pipelines/model/released-model.ts';
import { probabilitiesOf } from '../../pipelines/model/score-outcomes.ts';
import { openStore } from '../../warehouse/store/open.ts';
import { OUTCOME_STEPS, type OutcomeStep } from '../../warehouse/store/outcome-kinds.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { buildSeedStore } from './seed.ts';

/** The flight of the example in docs/features.md. */
const FLIGHT: FlightQuery = {
  origin: 'ORD',
  dest: 'LGA',
  carrier: 'AA',
  flightDate: '2026-12-10',
  crsDepHour: 18,
};
const MORNING: FlightQuery = { ...FLIGHT, crsDepHour: 6 };
const JANUARY: FlightQuery = { ...FLIGHT, flightDate: '2027-01-10' };

const TERMS: PayoutTerm[] = [
  { condition: 60, amount: 100 },
  { condition: 120, amount: 250 },
  { condition: 'cancelled', amount: 400 },
];

/** Computes every step of one flight of the seed, from its record to the expected payout. */
export async function exampleFigures(): Promise<Record<string, unknown>> {
  const store = openStore((await buildSeedStore()).store);
  const { model: file } = await findModel('');
  if (!file) throw new Error('there is no bundled model');
  const model = openModel(file.bytes, MODEL_CONTRACT);
  const flight = scored(FLIGHT, store, model);
  const band = flightBand(flight);
  if (!band) throw new Error('the flight has no distribution');
  const { stats, mlProbability, holiday } = flight.assessment;
  return {
    record: stats,
    mlProbability,
    holiday,
    steps: stepsOf(flight),
    late120Groups: groupsOf(store, 'late120', [
      'month 12',
      'carrier AA',
      'origin ORD',
      'dest LGA',
      'origin_carrier ORDAA',
      'dest_carrier LGAAA',
      'hour 18',
    ]),
    cancelledGroups: groupsOf(store, 'cancelled', [
      'hour 18',
      'carrier_hours AA@6',
      'origin_hours ORD@4',
      'month 12',
    ]),
    distribution: DELAY_MINUTES.map((minutes, at) => [minutes, band.curve.late[at]]),
    cancelled: {
      now: band.curve.cancelled,
      at06: flightBand(scored(MORNING, store, model))?.curve.cancelled,
      january: flightBand(scored(JANUARY, store, model))?.curve.cancelled,
    },
    outlook: buildOutlook(band.curve),
    payout: payoutOf(TERMS, band),
  };
}

function scored(query: FlightQuery, store: ScoreStore, model: Model): ScoredFlight {
  const [mlProbability] = probabilitiesOf([query], store, model);
  return {
    query,
    store,
    assessment: assessFlight(query, store, { mlProbability: mlProbability! }),
  };
}

/**
 * Returns three figures for each step: the log-odds of the network, the log-odds of the flight's groups together, and
 * the resulting share on the day. The day has no forecast and no event, so only holidays change the share.
 */
function stepsOf({ query, store, assessment }: ScoredFlight) {
  const odds = outcomeOddsOf(query, store);
  const dayShift = assessment.holiday?.logOdds ?? 0;
  return OUTCOME_STEPS.filter((step) => step !== 'cancelled').map((step) => {
    const { network = 0 } = groupsOf(store, step, ['network ']);
    const own = odds[step].logOdds;
    const share = stepShare({ late: 0, cancelled: 0, odds, dayShift }, step);
    return { step, network, groups: own - network, share };
  });
}

/** Returns the effects of groups on a step, by the first word of their names. */
function groupsOf(
  { outcomes: { rowOf, effects, steps } }: ScoreStore,
  step: OutcomeStep,
  names: string[],
): Record<string, number> {
  return Object.fromEntries(
    names.map((name) => {
      const row = rowOf(name);
      const effect = row === -1 ? 0 : effects[row * steps.length + steps.indexOf(step)];
      return [name.split(' ')[0] as string, effect ?? 0];
    }),
  );
}
