import type { Model } from '../../models/onnx/model.ts';
import type { Knowledge, Outcome } from '../../warehouse/build/as-of.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { scoreOutcomes, type ScoredOutcome } from './score-outcomes.ts';

export const METHODS = ['linear', 'ml', 'blend'] as const;
export const HOURS = ['with_dep_time', 'without_dep_time'] as const;

export type Method = (typeof METHODS)[number];

/** A source of forecasts: one of the methods, or just the shrunk delay rate of the airline-route. */
export type ForecastSource = Method | 'rate';
export type Hours = (typeof HOURS)[number];

/** Forecasts of the same flights, with and without the hour of departure. */
export type Forecasts = Record<Hours, ScoredOutcome[]>;

export type ForecastDeps = {
  /** Returns the data that the service would have had on a day. */
  knowledgeAsOf: (day: string) => Promise<Knowledge>;
  openStore: (files: StoreFiles) => ScoreStore;
  /** Trains a model on this data. */
  train: (knowledge: Knowledge, what: string) => Model;
};

/** Forecasts the flights from the known data. */
export function forecast(
  knowledge: Knowledge,
  outcomes: Outcome[],
  model: Model,
  { openStore }: Pick<ForecastDeps, 'openStore'>,
): Forecasts {
  const store = openStore(knowledge.store);
  return {
    with_dep_time: scoreOutcomes(outcomes, store, model, true),
    without_dep_time: scoreOutcomes(outcomes, store, model, false),
  };
}
