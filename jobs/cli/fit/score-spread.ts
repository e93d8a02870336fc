import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MODEL_CONTRACT } from '../../../models/features.ts';
import { openModel } from '../../../models/onnx/session.ts';
import { assessFlight } from '../../../models/score.ts';
import type { ComponentKey } from '../../../models/types.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { findModel } from '../../../pipelines/model/released.ts';
import { scoreOutcomes } from '../../../pipelines/model/score-outcomes.ts';
import { knowledgeAsOf, outcomesOf, type Outcome } from '../../../warehouse/build/as-of.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { openStore } from '../../../warehouse/store/open.ts';

const SEED = path.join(import.meta.dirname, '../../../warehouse/seed/route_hours.parquet');

/** The factors a history can tell. */
export type SpreadFactor = Exclude<ComponentKey, 'weather' | 'event_risk'>;

/** Shares of flights by value in `VALUE_BINS`, and by score in points, to a thousandth of a percent. */
export type Spread = {
  flights: number;
  values: Record<SpreadFactor, number[]>;
  scores: Record<'linear' | 'blend', number[]>;
};

/** Bins of a factor's value. */
export const VALUE_BINS = 20;

/**
 * How the flights of the seed spread over the values and the scores, asked on the fifteenth of their month without hour,
 * weather and news, and with the model that is bundled.
 */
export async function seedSpread(): Promise<Spread> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwind-spread-'));
  try {
    const deps = createExtractDeps({ lakeDir: folder, codeVersion: 'spread' });
    await extractFile({ path: SEED }, deps, () => undefined);
    const { store: files } = await knowledgeAsOf([folder], '2019-01-01');
    const store = openStore(files);
    const { model: file, refused } = await findModel(folder);
    if (!file) throw new Error(`the bundled model is not to be used: ${refused}`);
    const model = await openModel(file.bytes, MODEL_CONTRACT);
    const outcomes = withoutHours(await outcomesOf(folder, '2018-01-01', '2019-01-01'));
    const scored = await scoreOutcomes(outcomes, store, model, false);
    await model.close();
    const values = scored.map(({ outcome: { origin, dest, carrier, flight_date: flightDate } }) => {
      const { components } = assessFlight({ origin, dest, carrier, flightDate }, store, {});
      return (factor: SpreadFactor) => components.find(({ key }) => key === factor)?.value ?? 0;
    });
    const weights = scored.map(({ outcome }) => outcome.completed_count);
    const ofFactor = (factor: SpreadFactor) =>
      shares(
        values.map((value) => value(factor) * VALUE_BINS),
        weights,
        VALUE_BINS,
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
        linear: shares(
          scored.map(({ linear }) => linear + 0.5),
          weights,
          101,
        ),
        blend: shares(
          scored.map(({ blend }) => blend + 0.5),
          weights,
          101,
        ),
      },
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The flights of an airline-route in a month, as one group. */
function withoutHours(outcomes: Outcome[]): Outcome[] {
  const groups = Map.groupBy(outcomes, (one) =>
    [one.origin, one.dest, one.carrier, one.flight_date].join(' '),
  );
  return [...groups.values()].flatMap((some) => {
    const [first] = some;
    const completed = some.reduce((all, { completed_count }) => all + completed_count, 0);
    return first ? { ...first, local_hour: null, completed_count: completed } : [];
  });
}

/** The share of the weight in each bin of width 1; what lies at the upper end is in the last. */
export function shares(at: number[], weights: number[], bins: number): number[] {
  const sums = Array.from({ length: bins }, () => 0);
  for (const [index, position] of at.entries()) {
    const bin = Math.min(bins - 1, Math.max(0, Math.floor(position)));
    sums[bin] = (sums[bin] ?? 0) + (weights[index] ?? 0);
  }
  const total = sums.reduce((all, sum) => all + sum, 0);
  return sums.map((sum) => Math.round((sum / total) * 1e5) / 1e5);
}
