import { openRedisClient } from '../../../warehouse/ground/redis-address.ts';
import { recordRun } from '../../../pipelines/ledger.ts';
import { followStore, type ModelChange } from '../../../pipelines/model/pin-or-roll-back.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import {
  RollbackRefusedError,
  rollBack,
  type StoreMove,
} from '../../../warehouse/store/rollback.ts';
import { StorageUnavailableError } from '../../../warehouse/objects/objects.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { createLedger } from '../../wiring/ledger.ts';
import { openLakeHome } from '../../wiring/lake-home.ts';
import { withStoreLock } from '../../processes/lock.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { span } from '../tables.ts';

export type RollbackRequest = { version?: string; codeVersion: string };

/**
 * Makes a former version of the score store current. Does not use the queue: while a bad store is served, the rollback
 * must not wait for a running build.
 */
export async function rollback(
  context: CommandContext,
  { version, codeVersion }: RollbackRequest,
): Promise<number> {
  const paths = dataPaths(context.config.dataDir);
  const session = await openRedis(context.config, 'rollback');
  const redis = openRedisClient(session.url, {
    connectionName: `headwind-rollback-${process.pid}`,
  });
  redis.on('error', () => undefined);
  let model: ModelChange | undefined;
  // Changes the model first, then the store. If the process is killed between the two, the same command completes the
  // rollback.
  const moveModel = async ({ fromModel, toModel, isToOlder }: StoreMove) => {
    const follow = () => followStore(paths.modelsDir, { from: fromModel, to: toModel, isToOlder });
    try {
      model = await openLakeHome(context.config, redis).withModelLock(follow);
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error;
      // Does not wait for the model registry to become available, because a rollback is urgent.
      model = await follow();
      const next = model ? `; once it is available: make model-rollback VERSION=${model.to}` : '';
      context.err.write(`${error.message}. The shared model registry is unchanged${next}\n`);
    }
  };
  try {
    const { from, to, months } = await recordRun(
      'rollback',
      createLedger(paths, codeVersion),
      () => withStoreLock(paths, () => rollBack(paths.storeDir, redis, version, moveModel)),
      (moved) => ({
        inputs: [{ name: moved?.to ?? version ?? 'the version before' }],
        detail: moved,
      }),
    );
    context.out.write(`Rolled back: the API now serves ${to}, ${span(months)}.\n`);
    if (model) context.out.write(`Its model ${model.to} is released again.\n`);
    if (from !== undefined) context.out.write(`To undo: make rollback VERSION=${from}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof RollbackRefusedError)) throw error;
    throw new CommandError(`Nothing was changed: ${error.message}`, { cause: error });
  } finally {
    redis.disconnect();
    await session.close();
  }
}
