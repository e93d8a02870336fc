import { recorded } from '../../../pipelines/ledger.ts';
import { ModelNotKeptError } from '../../../pipelines/errors.ts';
import { pinModel, rollBackModel, unpinModel } from '../../../pipelines/model/pin-or-roll-back.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import { choosingAlone } from '../../wiring/lake-home.ts';
import { withStoreLock } from '../../processes/lock.ts';
import { ledgerOf } from '../../wiring/ledger.ts';
import type { CommandContext } from '../context.ts';
import { lakeIfThere, withLakeHome } from '../lake-at-hand.ts';
import { collectModels, modelsText } from '../status/models.ts';

/** Prints the models that are kept, what they learned from and how they fared, and the last trainings. */
export async function model(context: CommandContext, { json }: { json: boolean }): Promise<number> {
  await lakeIfThere(context);
  const models = await collectModels(dataPaths(context.config.dataDir));
  context.out.write(json ? `${JSON.stringify(models, null, 2)}\n` : modelsText(models));
  return 0;
}

/** Has every publish take this model, whatever is released, until it is unpinned. */
export async function modelPin(context: CommandContext, version: string): Promise<number> {
  const pinned = await choosing(context, (modelsDir) => pinModel(modelsDir, version));
  context.out.write(
    `Pinned: every publish takes ${pinned}, whatever is released.\nNext: make publish\n`,
  );
  return 0;
}

/** Has publishes take the released model again. */
export async function modelUnpin(context: CommandContext): Promise<number> {
  const pinned = await choosing(context, (modelsDir) => unpinModel(modelsDir));
  context.out.write(
    pinned === undefined
      ? 'No model is pinned.\n'
      : `${pinned} is pinned no more: publishes take the released model.\nNext: make publish\n`,
  );
  return 0;
}

export type ModelRollbackRequest = { version?: string; codeVersion: string };

/** Makes an earlier model the released one; what it goes back from is not released again by itself. */
export async function modelRollback(
  context: CommandContext,
  { version, codeVersion }: ModelRollbackRequest,
): Promise<number> {
  const { from, to } = await recorded(
    'rollback',
    ledgerOf(dataPaths(context.config.dataDir), codeVersion),
    () => choosing(context, (modelsDir) => rollBackModel(modelsDir, version)),
    (moved) => ({
      inputs: [{ name: `model ${moved?.to ?? version ?? 'before'}` }],
      detail: moved,
    }),
  );
  context.out.write(
    `Rolled back: publishes take model ${to} instead of ${from}.\nNext: make publish\nTo return: make model-rollback VERSION=${from}\n`,
  );
  return 0;
}

/** Changes the choice of models while nobody else moves a pointer. */
async function choosing<T>(
  context: CommandContext,
  change: (modelsDir: string) => Promise<T>,
): Promise<T> {
  const paths = dataPaths(context.config.dataDir);
  const chosen = () => change(paths.modelsDir);
  try {
    return await withStoreLock(paths, () =>
      context.config.lake
        ? withLakeHome(context, ({ choosing: shared }) => shared(chosen))
        : choosingAlone(paths, chosen),
    );
  } catch (error) {
    if (!(error instanceof ModelNotKeptError)) throw error;
    throw new CommandError(`Nothing was changed: ${error.message}`, { cause: error });
  }
}
