import { figuresOf, type Figures } from '../../models/evaluate/metrics.ts';
import type { Model } from '../../models/onnx/session.ts';
import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import type { Knowledge, Outcome } from '../../warehouse/as-of.ts';
import type { StoreFiles } from '../../warehouse/store/open.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { judge, type Trial, type Verdict } from './gate.ts';
import { scoreOutcomes } from './score-outcomes.ts';

export type RetrainDeps = {
  /** What was known on a day. */
  knowledgeAsOf: (day: string) => Promise<Knowledge>;
  /** The flights that left in `[from, until)`. */
  outcomesOf: (from: string, until: string) => Promise<Outcome[]>;
  openStore: (files: StoreFiles) => ScoreStore;
  /** The file of a model trained on what was known; the figures go into it. */
  train: (knowledge: Knowledge, metrics: ModelMetadata['metrics'], what: string) => Uint8Array;
  openModel: (bytes: Uint8Array) => Promise<Model>;
  /** The model released so far. */
  released: () => Promise<Uint8Array | undefined>;
  log: (line: string) => void;
};

/** The model of the whole history, and what its rehearsal showed. */
export type Retrained = { bytes?: Uint8Array; verdict: Verdict; trial: Trial };

/** Months held out of the rehearsal's training: enough flights to tell models apart, few enough to learn from the rest. */
const TRIAL_MONTHS = 2;

/**
 * Rehearses on the newest of the months (`YYYY-MM`, ascending): trains on those before, forecasts them, and only then
 * trains on everything. `until` is the first day after the last month.
 */
export async function retrain(
  months: string[],
  until: string,
  deps: RetrainDeps,
): Promise<Retrained> {
  const held = months.slice(-TRIAL_MONTHS);
  const from = `${held[0]}-01`;
  const trial = await rehearse(from, until, held, deps);
  const verdict = judge(trial);
  if (!verdict.isReleased) return { verdict, trial };
  deps.log(`training on all ${months.length} months`);
  const bytes = deps.train(await deps.knowledgeAsOf(until), metricsOf(trial), 'model');
  return { bytes, verdict, trial };
}

async function rehearse(
  from: string,
  until: string,
  months: string[],
  deps: RetrainDeps,
): Promise<Trial> {
  deps.log(`rehearsing: ${months.join(', ')} from what was known before`);
  const knowledge = await deps.knowledgeAsOf(from);
  const store = deps.openStore(knowledge.store);
  const outcomes = await deps.outcomesOf(from, until);
  const baseRate = rateOf(await deps.outcomesOf('0001-01-01', from));
  const figures = async (bytes: Uint8Array): Promise<Figures> => {
    const model = await deps.openModel(bytes);
    try {
      const scored = await scoreOutcomes(outcomes, store, model, true);
      return figuresOf(
        scored.flatMap(({ ml, outcome }) =>
          ml === undefined || outcome.completed_count === 0
            ? []
            : { p: ml, flights: outcome.completed_count, delayed: outcome.delayed_count },
        ),
        baseRate,
      );
    } finally {
      await model.close();
    }
  };
  const candidate = await figures(deps.train(knowledge, {}, 'rehearsal'));
  const released = await deps.released();
  return { months, candidate, ...(released && { previous: await figures(released) }) };
}

/** What the card says of the rehearsal. */
function metricsOf({ months, candidate }: Trial): ModelMetadata['metrics'] {
  return { testedOn: months, ...candidate };
}

function rateOf(outcomes: Outcome[]): number {
  let [completed, delayed] = [0, 0];
  for (const { completed_count, delayed_count } of outcomes) {
    completed += completed_count;
    delayed += delayed_count;
  }
  return delayed / completed;
}
