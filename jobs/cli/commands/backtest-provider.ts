import { NothingToMeasureError } from '../../../pipelines/errors.ts';
import { HOURS, type Hours } from '../../../pipelines/model/forecasts.ts';
import { compareWithRates, type ProviderTrial } from '../../../pipelines/model/provider-trial.ts';
import { HistoryMissingError, SourceFormatError } from '../../../warehouse/errors.ts';
import { CommandError } from '../../errors.ts';
import { tryProviderFiles, type TrialPeriod } from '../../wiring/provider-trials.ts';
import { HOURS_NAMES } from '../backtest-page/names.ts';
import type { CommandContext } from '../context.ts';
import { checkFiles } from '../input-files.ts';
import { count, percent, span, table } from '../tables.ts';

export type BacktestProviderRequest = TrialPeriod & {
  files: string[];
  codeVersion: string;
  json: boolean;
};

/**
 * Measures how accurately the flights of other providers are forecast from their earlier flights, and prints the
 * figures. Progress goes to standard error. Throws `CommandError` for files that cannot be read or have too few
 * flights.
 */
export async function backtestProvider(
  { out, err }: Pick<CommandContext, 'out' | 'err'>,
  { json, files, codeVersion, ...period }: BacktestProviderRequest,
): Promise<number> {
  await checkFiles(files);
  const log = (line: string) => err.write(`${line}\n`);
  const trials = await tryProviderFiles({ files, codeVersion, log }, [period]).catch(explain);
  if (trials.length === 0) {
    throw new CommandError(
      'These are files of American flights (BTS). Use make backtest or make backtest-levels for them.',
    );
  }
  out.write(json ? `${JSON.stringify(trials)}\n` : trials.map(trialTable).join('\n'));
  return 0;
}

const HEAD = [
  'request',
  'flights',
  'forecast',
  'actual',
  'AUC of the score',
  'skill',
  'log loss',
  'log loss of the former rates',
  'difference',
  'AUC minus AUC of the rates',
];

/** Formats the figures of one provider. */
function trialTable({ provider, trainedOn, testedOn, measured, figures }: ProviderTrial): string {
  const verdict = compareWithRates(figures.with_dep_time.paired);
  return [
    `${provider}: ${span(testedOn)}, forecast from ${span(trainedOn)}. ${percent(measured)} of the flights are on routes with earlier flights.`,
    table(
      HEAD,
      HOURS.map((hours) => [HOURS_NAMES[hours], ...cellsOf(figures[hours])]),
    ),
    `Log loss with the hour: ${VERDICTS[verdict]}. ± is one standard error over ${count(figures.with_dep_time.paired.clusters)} days or airport-months.`,
    '',
  ].join('\n');
}

const VERDICTS = {
  better: 'better than the former rates by more than the noise',
  equal: 'not different from the former rates by more than the noise',
  worse: 'worse than the former rates by more than the noise',
};

function cellsOf({ paired, ...figures }: ProviderTrial['figures'][Hours]): string[] {
  const { n, forecast, observed, auc, skill, logLoss } = figures;
  return [
    count(n),
    percent(forecast),
    percent(observed),
    ...[auc, skill, logLoss, paired.logLoss.theirs].map((figure) => figure.toFixed(4)),
    differenceOf(paired.logLoss),
    differenceOf(paired.auc),
  ];
}

function differenceOf({ difference, noise }: { difference: number; noise: number }): string {
  return `${difference < 0 ? '' : '+'}${difference.toFixed(5)} ± ${noise.toFixed(5)}`;
}

const EXPECTED = [SourceFormatError, HistoryMissingError, NothingToMeasureError];

/** Turns errors that a person can act on into `CommandError`s. */
function explain(error: unknown): never {
  if (!(error instanceof Error) || !EXPECTED.some((kind) => error instanceof kind)) throw error;
  throw new CommandError(`The backtest failed: ${error.message}`, { cause: error });
}
