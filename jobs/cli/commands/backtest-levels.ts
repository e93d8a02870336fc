import type { PairedFigures } from '../../../models/evaluate/paired.ts';
import {
  LEVEL_BASELINES,
  LEVEL_FORECASTS,
  type LevelBacktest,
  type LevelForecast,
} from '../../../pipelines/model/level-backtest.ts';
import { backtestLevels as run } from '../../wiring/backtest-files.ts';
import type { CommandContext } from '../context.ts';
import { checkFiles } from '../input-files.ts';
import { count, table } from '../tables.ts';

export type BacktestLevelsRequest = {
  file: string;
  cut: string;
  codeVersion: string;
  json: boolean;
};

/**
 * Forecasts each month of a delay-cause table from the data known at the beginning of the month, and prints how
 * accurate the forecasts are. Progress goes to standard error.
 */
export async function backtestLevels(
  { out, err }: Pick<CommandContext, 'out' | 'err'>,
  { json, file, ...request }: BacktestLevelsRequest,
): Promise<number> {
  await checkFiles([file]);
  const log = (line: string) => err.write(`${line}\n`);
  const result = await run({ ...request, files: [file], seedFiles: [], log });
  out.write(json ? `${JSON.stringify(result)}\n` : levelTables(result));
  return 0;
}

const NAMES: Record<LevelForecast, string> = {
  levels: 'levels',
  last_year: 'the same month last year',
  last_twelve: 'the last twelve months',
};

function levelTables({ months, cells, against, off }: LevelBacktest): string {
  const rows = LEVEL_BASELINES.flatMap((baseline) =>
    Object.entries({ ...against[baseline].years, all: against[baseline].all }).map(
      ([year, figures]) => [NAMES[baseline], year, ...cellsOf(figures)],
    ),
  );
  const head = ['baseline', 'year', 'flights', 'log loss', 'log loss of baseline', 'difference'];
  const wholeRows = LEVEL_FORECASTS.flatMap((by) =>
    Object.entries({ ...off[by].years, all: off[by].all }).map(
      ([year, { months, withinFifth, logOdds }]) => [
        NAMES[by],
        year,
        count(months),
        count(withinFifth),
        logOdds.toFixed(3),
      ],
    ),
  );
  return [
    `${count(cells)} months of an airline at an airport, from ${months[0]} to ${months.at(-1)}; each month is forecast from the data published when it began.`,
    table(head, rows),
    'Forecasts of whole months: the share of flights at least 15 minutes late. The table counts months whose forecast is at most 20 % above or below the actual share. The error is in log-odds.',
    table(['forecast by', 'year', 'months', 'within a fifth', 'error'], wholeRows),
    '',
  ].join('\n');
}

function cellsOf({ n, logLoss: { ours, theirs, difference, noise } }: PairedFigures): string[] {
  const change = `${difference < 0 ? '' : '+'}${difference.toFixed(5)} ± ${noise.toFixed(5)}`;
  return [count(n), ours.toFixed(5), theirs.toFixed(5), change];
}
