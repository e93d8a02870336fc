import { XgboostMissingError } from '../../../models/train/xgboost.ts';
import { NothingToMeasureError } from '../../../pipelines/errors.ts';
import { TooLittleHistoryError } from '../../../pipelines/model/train-model.ts';
import { HistoryMissingError } from '../../../warehouse/errors.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import type { MaintenanceReport } from '../../queue/handlers.ts';
import { requestStep } from '../../queue/requests.ts';
import { openLakeHome } from '../../wiring/lake-home.ts';
import { replayMonths } from '../../wiring/replay-months.ts';
import type { CommandContext } from '../context.ts';
import { refreshLake, withRedis } from '../lake-refresh.ts';
import { publishRecord, scoredText } from '../record/record-step.ts';
import { withJobs } from '../session.ts';
import { count, percent } from '../tables.ts';

/** Requests the job that freezes and scores forecasts. The scheduled job is the same. */
export async function record(context: CommandContext): Promise<number> {
  const { summary } = await withJobs(context, 'record', async ({ queues, follow }) =>
    follow<MaintenanceReport>(await requestStep(queues, 'record'), 'record of forecasts'),
  );
  context.out.write(`Record  ${summary}\n`);
  return 0;
}

/**
 * Forecasts past months of the lake. Each month is forecast only from the data before it. Publishes the figures as
 * replayed forecasts. Throws `CommandError` if the history before the months is too short.
 */
export async function replay(
  context: CommandContext,
  { from, to, codeVersion }: { from: string; to: string; codeVersion: string },
): Promise<number> {
  const { config, now, out, err } = context;
  await refreshLake(context, 'size');
  const { lakeDir } = dataPaths(config.dataDir);
  const log = (line: string) => err.write(`${line}\n`);
  const { ml, testedOn } = await replayMonths({ lakeDir, from, to, codeVersion, log }).catch(
    explain,
  );
  const scored = await withRedis(context, (redis) =>
    publishRecord({ paths: { lakeDir }, home: openLakeHome(config, redis), redis, now }),
  );
  const { n, forecast, observed } = ml.with_dep_time;
  out.write(
    `Replay  ${testedOn.join(', ')}: ${count(n)} flights; forecast to be late: ${percent(forecast)}; really late: ${percent(observed)}\n`,
  );
  out.write(`Record  ${scoredText(scored)}\n`);
  return 0;
}

const EXPECTED = [
  HistoryMissingError,
  TooLittleHistoryError,
  NothingToMeasureError,
  XgboostMissingError,
];

function explain(error: unknown): never {
  if (!(error instanceof Error) || !EXPECTED.some((kind) => error instanceof kind)) throw error;
  throw new CommandError(`The months cannot be replayed: ${error.message}`, { cause: error });
}
