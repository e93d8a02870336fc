import type { Model } from '../../models/onnx/model.ts';
import { backtest, type Backtest } from '../../pipelines/model/backtest.ts';
import { replayedCases } from '../../pipelines/record/replayed-cases.ts';
import { knowledgeAsOf, readOutcomes } from '../../warehouse/build/as-of.ts';
import { writeReplay } from '../../warehouse/build/score-forecasts.ts';
import { firstDay } from '../../warehouse/ground/dates.ts';
import { HOME_PROVIDER } from '../../warehouse/paths.ts';
import { createBacktestDeps, type BacktestRequest } from './backtest-files.ts';

export type ReplayRequest = Pick<BacktestRequest, 'codeVersion' | 'log'> & {
  lakeDir: string;
  /** First and last month, `YYYY-MM`. */
  from: string;
  to: string;
};

/**
 * Forecasts past months of the lake, as in a backtest: each month from the data before it. Writes these forecasts to
 * the lake, marked as replayed. Returns the figures of the backtest.
 */
export async function replayMonths({
  lakeDir,
  from,
  to,
  ...settings
}: ReplayRequest): Promise<Backtest> {
  const end = firstDay(to, 1);
  const deps = createBacktestDeps({ lake: lakeDir, seedLake: lakeDir }, settings);
  let trained: Model | undefined;
  const { result, forecasts } = await backtest(
    `${from}-01`,
    {
      ...deps,
      outcomesOf: (first, until) => readOutcomes(lakeDir, first, until < end ? until : end),
      knowledgeAsOf: (day) => knowledgeAsOf([lakeDir], day),
      train: (knowledge, what) => (trained = deps.train(knowledge, what)),
      // Skips the training with XGBoost's default settings. This training would double the time, and its comparison is
      // not needed.
      trainPlain: (knowledge) => trained ?? deps.trainPlain(knowledge),
    },
    1,
  );
  const all = replayedCases(forecasts.scored.with_dep_time, HOME_PROVIDER);
  const cases = Map.groupBy(all, ({ month }) => month);
  for (const [month, ofMonth] of cases) await writeReplay(lakeDir, month, ofMonth);
  return result;
}
