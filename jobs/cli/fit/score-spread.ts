import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { round } from '../../../warehouse/ground/numbers.ts';
import { MODEL_CONTRACT } from '../../../models/features.ts';
import { openModel } from '../../../models/onnx/model.ts';
import { scorePoints } from '../../../models/points.ts';
import { assessFlight } from '../../../models/score.ts';
import type { ComponentKey } from '../../../models/types.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { ranksOf, type RankRow } from '../../../pipelines/model/ranks.ts';
import { findModel } from '../../../pipelines/model/released-model.ts';
import { scoreOutcomes, type ScoredOutcome } from '../../../pipelines/model/score-outcomes.ts';
import { switchOffEffect, type SwitchOffEffect } from '../../../pipelines/model/switched-off.ts';
import { storeForDays } from '../../../pipelines/model/unknown-days.ts';
import { knowledgeAsOf, readOutcomes } from '../../../warehouse/build/as-of.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { SEED_DIR, seedFilesIn } from '../program/arguments.ts';
import { expectationError, type ExpectationError } from './expectation-error.ts';

/** All factors except weather and events, which the history does not determine. */
export type SpreadFactor = Exclude<ComponentKey, 'weather' | 'event_risk'>;

/**
 * Distribution of flights over the values of the factors, in `VALUE_BINS` bins, and over the scores. Shares have five
 * decimals.
 */
export type Spread = {
  flights: number;
  values: Record<SpreadFactor, number[]>;
  /** Shares by score from 0 to 100; `alone` means without the model, `blend` means with the model. */
  scores: Record<'alone' | 'blend', number[]>;
  /**
   * Observed share of delayed or cancelled flights, by the score with the model. The score is divided into steps of
   * `SCORE_STEP` points.
   */
  came: { score: number; disrupted: number }[];
};

/** Statistics of the scores of the seed's flights. */
export type SeedScores = {
  spread: Spread;
  ranks: RankRow[];
  switchedOff: SwitchOffEffect;
  hours: ExpectationError;
};

/** Number of bins of a factor's value. */
export const VALUE_BINS = 20;

/** Width of a step of scores, in points. */
const SCORE_STEP = 5;

/** A step with fewer flights is left out, because its observed share would be mostly chance. */
const MIN_FLIGHTS = 1_000;

/**
 * Scores each flight of the seed for an average day of its month. Uses the departure hour and the bundled model, but no
 * weather and no news. This is no test, because statistics and model were fitted to the same flights.
 */
export async function scoreSeed(): Promise<SeedScores> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwind-spread-'));
  try {
    const deps = createExtractDeps({ lakeDir: folder, codeVersion: 'spread' });
    for (const file of seedFilesIn(SEED_DIR)) {
      await extractFile({ path: file }, deps, () => undefined);
    }
    const { store: files } = await knowledgeAsOf([folder], '2019-01-01');
    const store = openStore(files);
    const { model: file, refused } = await findModel(folder);
    if (!file) throw new Error(`the bundled model is refused: ${refused}`);
    const model = openModel(file.bytes, MODEL_CONTRACT);
    const outcomes = await readOutcomes(folder, '2018-01-01', '2019-01-01');
    const scored = scoreOutcomes(outcomes, store, model, true);
    return {
      spread: spreadOf(scored, store),
      ranks: ranksOf(scored),
      switchedOff: switchOffEffect(scored),
      hours: expectationError(store),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the distribution of the flights over the values of the factors and over the scores. */
export function spreadOf(scored: ScoredOutcome[], store: ScoreStore): Spread {
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
  const factorShares = (factor: SpreadFactor) => binShares(values[factor], weights, VALUE_BINS);
  const scoreShares = (score: (one: ScoredOutcome) => number) =>
    binShares(
      scored.map((one) => score(one) + 0.5),
      weights,
      101,
    );
  return {
    flights: weights.reduce((all, weight) => all + weight, 0),
    values: {
      delay_rate: factorShares('delay_rate'),
      cancel_rate: factorShares('cancel_rate'),
      congestion: factorShares('congestion'),
      seasonality: factorShares('seasonality'),
    },
    scores: {
      alone: scoreShares(({ logOdds }) => scorePoints(logOdds, undefined).score),
      blend: scoreShares(({ blend }) => blend),
    },
    came: observedByScore(scored),
  };
}

function observedByScore(scored: ScoredOutcome[]): Spread['came'] {
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
      return flights < MIN_FLIGHTS ? [] : [{ score, disrupted: round(disrupted / flights, 5) }];
    });
}

function flightsOf({ outcome }: ScoredOutcome): number {
  return outcome.completed_count + outcome.cancelled_count;
}

/**
 * Returns the share of the weight in each bin of width 1. The first and the last bin also count positions beyond the
 * ends.
 */
export function binShares(positions: number[], weights: number[], bins: number): number[] {
  const sums = Array.from({ length: bins }, () => 0);
  for (const [index, position] of positions.entries()) {
    const bin = Math.min(bins - 1, Math.max(0, Math.floor(position)));
    sums[bin] = (sums[bin] ?? 0) + (weights[index] ?? 0);
  }
  const total = sums.reduce((all, sum) => all + sum, 0);
  return sums.map((sum) => round(sum / total, 5));
}
