import { recordRun } from '../../../pipelines/ledger.ts';
import { ModelChangeRefusedError } from '../../../pipelines/errors.ts';
import { pinModel, rollBackModel, unpinModel } from '../../../pipelines/model/pin-or-roll-back.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import { withLocalModels } from '../../wiring/lake-home.ts';
import { withStoreLock } from '../../processes/lock.ts';
import { createLedger } from '../../wiring/ledger.ts';
import type { CommandContext } from '../context.ts';
import { refreshLakeIfAvailable, withLakeHome } from '../lake-refresh.ts';
import { collectModels, modelsText } from '../status/models.ts';

/** Prints the stored models with their training data and accuracy, and the last trainings. */
export async function model(context: CommandContext, { json }: { json: boolean }): Promise<number> {
  await refreshLakeIfAvailable(context);
  const models = await collectModels(dataPaths(context.config.dataDir));
  context.out.write(json ? `${JSON.stringify(models, null, 2)}\n` : modelsText(models));
  return 0;
}

/** Pins a model. Until the model is unpinned, every publish uses this model, even when another model is released. */
export async function modelPin(context: CommandContext, version: string): Promise<number> {
  const pinned = await changeModels(context, (modelsDir) => pinModel(modelsDir, version));
  context.out.write(
    `Pinned: every publish uses model ${pinned}, even when another one is released.\nNext: make publish\n`,
  );
  return 0;
}

/** Unpins the model, so that publishes use the released model again. */
export async function modelUnpin(context: CommandContext): Promise<number> {
  const pinned = await changeModels(context, (modelsDir) => unpinModel(modelsDir));
  context.out.write(
    pinned === undefined
      ? 'No model is pinned.\n'
      : `Unpinned: publishes use the released model again, not ${pinned}.\nNext: make publish\n`,
  );
  return 0;
}

export type ModelRollbackRequest = { version?: string; codeVersion: string };

/**
 * Releases a former model again and withdraws the replaced model. A withdrawn model is not released again
 * automatically.
 */
export async function modelRollback(
  context: CommandContext,
  { version, codeVersion }: ModelRollbackRequest,
): Promise<number> {
  const { from, to } = await recordRun(
    'rollback',
    createLedger(dataPaths(context.config.dataDir), codeVersion),
    () => changeModels(context, (modelsDir) => rollBackModel(modelsDir, version)),
    (moved) => ({
      inputs: [{ name: `model ${moved?.to ?? version ?? 'before'}` }],
      detail: moved,
    }),
  );
  context.out.write(
    `Rolled back: every publish uses model ${to} instead of ${from}.\nNext: make publish\nTo undo: make model-rollback VERSION=${from}\n`,
  );
  return 0;
}

/** Changes the models or the choice of models while holding the locks of the store and the models. */
export async function changeModels<T>(
  context: CommandContext,
  change: (modelsDir: string) => Promise<T>,
): Promise<T> {
  const paths = dataPaths(context.config.dataDir);
  const applyChange = () => change(paths.modelsDir);
  try {
    return await withStoreLock(paths, () =>
      context.config.lake
        ? withLakeHome(context, ({ withModelLock: shared }) => shared(applyChange))
        : withLocalModels(paths, applyChange),
    );
  } catch (error) {
    if (!(error instanceof ModelChangeRefusedError)) throw error;
    throw new CommandError(`Nothing was changed: ${error.message}`, { cause: error });
  }
}
