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
 * Forecasts months of the lake as they would have been known: a backtest whose every month is forecast from the data
 * before it. Writes the forecasts as replayed ones, and returns the figures of the backtest.
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
      // The comparison with XGBoost's default settings is not needed, and would double the time.
      trainPlain: (knowledge) => trained ?? deps.trainPlain(knowledge),
    },
    1,
  );
  const all = replayedCases(forecasts.scored.with_dep_time, HOME_PROVIDER);
  const cases = Map.groupBy(all, ({ month }) => month);
  for (const [month, ofMonth] of cases) await writeReplay(lakeDir, month, ofMonth);
  return result;
}
