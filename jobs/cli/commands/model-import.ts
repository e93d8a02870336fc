import path from 'node:path';
import { ModelImportRefusedError, TrainingImpossibleError } from '../../../pipelines/errors.ts';
import { recordRun } from '../../../pipelines/ledger.ts';
import { removeImported } from '../../../pipelines/model/pin-or-roll-back.ts';
import type { ImportReport } from '../../../pipelines/model/import-model.ts';
import { HistoryMissingError } from '../../../warehouse/errors.ts';
import { fileSha256 } from '../../../warehouse/ground/hashes.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import { exportModelRows, importModelFile } from '../../wiring/import-steps.ts';
import { createLedger } from '../../wiring/ledger.ts';
import type { CommandContext } from '../context.ts';
import { checkFiles } from '../input-files.ts';
import { refreshLake } from '../lake-refresh.ts';
import { progressLine } from '../progress-line.ts';
import { changeModels } from './model.ts';

export type ModelImportRequest = { file: string; acceptsRegional: boolean; codeVersion: string };

/**
 * Judges and stores a model that was trained elsewhere. Releases the model if it is better than the released model.
 * Returns 1 if the model was not released.
 */
export async function modelImport(
  context: CommandContext,
  { file, acceptsRegional, codeVersion }: ModelImportRequest,
): Promise<number> {
  const { config, out, err } = context;
  await checkFiles([file]);
  await refreshLake(context, 'size');
  const paths = dataPaths(config.dataDir);
  const input = { name: path.basename(file), sha256: await fileSha256(file) };
  const line = progressLine('model-import', err);
  const request = {
    file: path.resolve(file),
    ...{
      acceptsRegional,
      codeVersion,
      deadlineMs: config.modelDeadlineMs,
      retention: config.retention,
    },
  };
  const report = await recordRun(
    'import',
    createLedger(paths, codeVersion),
    () =>
      importModelFile(
        paths,
        request,
        (change) => changeModels(context, change),
        (done, total, what) => line.show({ done, total, what }),
      ).finally(line.end),
    (imported) => ({ inputs: [input], detail: imported }),
  ).catch(explain);
  out.write(importText(report));
  return report.isReleased ? 0 : 1;
}

function importText({ why, version, trial, callMs, isReleased }: ImportReport): string {
  const { n, logLoss, auc, brier, skill } = trial.candidate;
  const figures = [
    `log loss ${logLoss.toFixed(6)}`,
    `AUC ${auc.toFixed(6)}`,
    `Brier ${brier.toFixed(6)}`,
    `skill ${skill.toFixed(6)}`,
  ];
  const next = isReleased ? 'make publish' : `make model-pin publish VERSION=${version}`;
  return [
    why,
    `Model ${version}: ${figures.join(', ')} on ${n.toLocaleString('en')} flights; ${callMs.toFixed(2)} ms for a call with 24 rows`,
    `${isReleased ? 'Next' : 'To serve it anyway'}: ${next}`,
    `To remove it: make model-remove publish VERSION=${version}`,
    '',
  ].join('\n');
}

/** Removes an imported model. Afterwards, publishes use the last released model of our own again. */
export async function modelRemove(
  context: CommandContext,
  { version, codeVersion }: { version?: string; codeVersion: string },
): Promise<number> {
  const removed = await recordRun(
    'rollback',
    createLedger(dataPaths(context.config.dataDir), codeVersion),
    () => changeModels(context, (modelsDir) => removeImported(modelsDir, version)),
    (name) => ({
      inputs: [{ name: `model ${name ?? version ?? 'imported'}` }],
      detail: { removed: name },
    }),
  );
  context.out.write(`Removed: imported model ${removed}.\nNext: make publish\n`);
  return 0;
}

/** Writes a Parquet or CSV file with the rows for training models elsewhere. */
export async function modelRows(context: CommandContext, file: string): Promise<number> {
  await refreshLake(context, 'size');
  const target = path.resolve(file);
  const { rows, testMonths } = await exportModelRows(
    dataPaths(context.config.dataDir),
    target,
  ).catch(explain);
  const counts = Object.entries(rows).map(
    ([part, count]) => `${count.toLocaleString('en')} ${part}`,
  );
  context.out.write(
    `${target}: ${counts.join(', ')} rows. Months for tests: ${testMonths.join(', ')}.\nNext: train a model on the rows that are not test rows. Then run: make model-import FILE=model.onnx\n`,
  );
  return 0;
}

/** Turns errors that a person can act on into `CommandError`s, which are printed without a stack trace. */
function explain(error: unknown): never {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  if (!isExpected || !(error instanceof Error)) throw error;
  throw new CommandError(`Nothing was imported: ${error.message}`, { cause: error });
}

const EXPECTED = [ModelImportRefusedError, TrainingImpossibleError, HistoryMissingError];
