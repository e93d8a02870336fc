import type { Model } from '../../models/onnx/model.ts';
import type { Knowledge, Outcome } from '../../warehouse/build/as-of.ts';
import type { StoreFiles } from '../../warehouse/store/open.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { scoreOutcomes, type Scored } from './score-outcomes.ts';

export const METHODS = ['linear', 'ml', 'blend'] as const;
export const HOURS = ['with_dep_time', 'without_dep_time'] as const;

export type Method = (typeof METHODS)[number];

/** What is said of a flight: by a method, or by the shrunk rate of its airline-route alone. */
export type Saying = Method | 'rate';
export type Hours = (typeof HOURS)[number];

/** The same flights, asked for with their hour and without. */
export type Forecasts = Record<Hours, Scored[]>;

export type ForecastDeps = {
  /** What was known on a day, as far as the service would know it. */
  knowledgeAsOf: (day: string) => Promise<Knowledge>;
  openStore: (files: StoreFiles) => ScoreStore;
  /** A model trained on what was known. */
  train: (knowledge: Knowledge, what: string) => Model;
};

/** Forecasts the flights from what was known. */
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
