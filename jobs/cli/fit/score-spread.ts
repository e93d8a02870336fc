import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { round } from '../../../warehouse/ground/round.ts';
import { MODEL_CONTRACT } from '../../../models/features.ts';
import { openModel } from '../../../models/onnx/model.ts';
import { scorePoints } from '../../../models/points.ts';
import { assessFlight } from '../../../models/score.ts';
import type { ComponentKey } from '../../../models/types.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { ranksOf, type RankRow } from '../../../pipelines/model/ranks.ts';
import { findModel } from '../../../pipelines/model/released.ts';
import { scoreOutcomes, type Scored } from '../../../pipelines/model/score-outcomes.ts';
import { switchedOff, type SwitchedOff } from '../../../pipelines/model/switched-off.ts';
import { storeForDays } from '../../../pipelines/model/unknown-days.ts';
import { knowledgeAsOf, outcomesOf } from '../../../warehouse/build/as-of.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { SEED_DIR, seedFilesIn } from '../program/arguments.ts';
import { expectationError, type ExpectationError } from './expectation-error.ts';

/** The factors a history can tell. */
export type SpreadFactor = Exclude<ComponentKey, 'weather' | 'event_risk'>;

/** Shares to a thousandth of a percent, of flights by value in `VALUE_BINS` and by score in points. */
export type Spread = {
  flights: number;
  values: Record<SpreadFactor, number[]>;
  /** `alone`: without the model. */
  scores: Record<'alone' | 'blend', number[]>;
  /** Share delayed or cancelled of the flights whose score with the model lies in each step of `SCORE_STEP` points. */
  came: { score: number; disrupted: number }[];
};

/** How the flights of the seed are scored by what is known of them. */
export type SeedScores = {
  spread: Spread;
  ranks: RankRow[];
  switchedOff: SwitchedOff;
  hours: ExpectationError;
};

/** Bins of a factor's value. */
export const VALUE_BINS = 20;

const SCORE_STEP = 5;

/** A step with fewer flights is mostly chance. */
const FEWEST = 1_000;

/**
 * How the flights of the seed spread over the values and the scores, asked for an average day of their month with their
 * hour, without weather and news, and with the model that is bundled. All of it has seen these flights.
 */
export async function seedScores(): Promise<SeedScores> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwind-spread-'));
  try {
    const deps = createExtractDeps({ lakeDir: folder, codeVersion: 'spread' });
    for (const file of seedFilesIn(SEED_DIR)) {
      await extractFile({ path: file }, deps, () => undefined);
    }
    const { store: files } = await knowledgeAsOf([folder], '2019-01-01');
    const store = openStore(files);
    const { model: file, refused } = await findModel(folder);
    if (!file) throw new Error(`the bundled model is not to be used: ${refused}`);
    const model = openModel(file.bytes, MODEL_CONTRACT);
    const outcomes = await outcomesOf(folder, '2018-01-01', '2019-01-01');
    const scored = scoreOutcomes(outcomes, store, model, true);
    return {
      spread: spreadOf(scored, store),
      ranks: ranksOf(scored),
      switchedOff: switchedOff(scored),
      hours: expectationError(store),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** How those flights spread over the values of the factors and over the scores. */
export function spreadOf(scored: Scored[], store: ScoreStore): Spread {
  const weights = scored.map(flightsOf);
  const values: Record<SpreadFactor, number[]> = {
    delay_rate: [],
    cancel_rate: [],
    congestion: [],
    seasonality: [],
  };
  const storeFor = {
    day: store,
    weekday: storeForDays(store, 'weekday'),
    month: storeForDays(store, 'month'),
  };
  for (const { outcome } of scored) {
    const { origin, dest, carrier, flight_date: flightDate, local_hour: hour } = outcome;
    const query = { origin, dest, carrier, flightDate, ...(hour !== null && { crsDepHour: hour }) };
    const { components } = assessFlight(query, storeFor[outcome.dated_by], {});
    for (const { key, value } of components) {
      if (key !== 'weather' && key !== 'event_risk') values[key].push(value * VALUE_BINS);
    }
  }
  const ofFactor = (factor: SpreadFactor) => shares(values[factor], weights, VALUE_BINS);
  const ofScores = (score: (one: Scored) => number) =>
    shares(
      scored.map((one) => score(one) + 0.5),
      weights,
      101,
    );
  return {
    flights: weights.reduce((all, weight) => all + weight, 0),
    values: {
      delay_rate: ofFactor('delay_rate'),
      cancel_rate: ofFactor('cancel_rate'),
      congestion: ofFactor('congestion'),
      seasonality: ofFactor('seasonality'),
    },
    scores: {
      alone: ofScores(({ logOdds }) => scorePoints(logOdds, undefined).score),
      blend: ofScores(({ blend }) => blend),
    },
    came: cameOf(scored),
  };
}

function cameOf(scored: Scored[]): Spread['came'] {
  const steps = [...Map.groupBy(scored, ({ blend }) => Math.floor(blend / SCORE_STEP))];
  return steps
    .toSorted(([a], [b]) => a - b)
    .flatMap(([step, rows]) => {
      const flights = rows.reduce((sum, row) => sum + flightsOf(row), 0);
      const disrupted = rows.reduce(
        (sum, { outcome }) => sum + outcome.delayed_count + outcome.cancelled_count,
        0,
      );
      const score = SCORE_STEP * (step + 0.5);
      return flights < FEWEST ? [] : [{ score, disrupted: round(disrupted / flights, 5) }];
    });
}

function flightsOf({ outcome }: Scored): number {
  return outcome.completed_count + outcome.cancelled_count;
}

/** The share of the weight in each bin of width 1; what lies at the upper end is in the last. */
export function shares(at: number[], weights: number[], bins: number): number[] {
  const sums = Array.from({ length: bins }, () => 0);
  for (const [index, position] of at.entries()) {
    const bin = Math.min(bins - 1, Math.max(0, Math.floor(position)));
    sums[bin] = (sums[bin] ?? 0) + (weights[index] ?? 0);
  }
  const total = sums.reduce((all, sum) => all + sum, 0);
  return sums.map((sum) => round(sum / total, 5));
}
