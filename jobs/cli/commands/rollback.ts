import { openRedisClient } from '../../../warehouse/ground/redis-address.ts';
import { recorded } from '../../../pipelines/ledger.ts';
import { followStore, type Moved } from '../../../pipelines/model/pin-or-roll-back.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import {
  RollbackRefusedError,
  rollBack,
  type StoreMove,
} from '../../../warehouse/store/rollback.ts';
import { StorageAwayError } from '../../../warehouse/objects/objects.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { ledgerOf } from '../../wiring/ledger.ts';
import { openLakeHome } from '../../wiring/lake-home.ts';
import { withStoreLock } from '../../processes/lock.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { span } from '../tables.ts';

export type RollbackRequest = { version?: string; codeVersion: string };

/**
 * Makes an earlier version of the score store current. It goes by no queue: when a bad store serves,
 * nobody should wait for a build to end.
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
  let model: Moved | undefined;
  // The model first: a roll back that is killed between the two is finished by the same command.
  const followed = async ({ fromModel, toModel, isBack }: StoreMove) => {
    const follow = () => followStore(paths.modelsDir, { from: fromModel, to: toModel, isBack });
    try {
      model = await openLakeHome(context.config, redis).choosing(follow);
    } catch (error) {
      if (!(error instanceof StorageAwayError)) throw error;
      // Whoever rolls back has no time to wait for the place of the models.
      model = await follow();
      const again = model ? `: once it answers, make model-rollback VERSION=${model.to}` : '';
      context.err.write(`${error.message}. Its models stay as they are${again}\n`);
    }
  };
  try {
    const { from, to, months } = await recorded(
      'rollback',
      ledgerOf(paths, codeVersion),
      () => withStoreLock(paths, () => rollBack(paths.storeDir, redis, version, followed)),
      (moved) => ({
        inputs: [{ name: moved?.to ?? version ?? 'the version before' }],
        detail: moved,
      }),
    );
    context.out.write(`Rolled back: ${to} is current, ${span(months)}. The API serves it now.\n`);
    if (model) context.out.write(`Its model is the released one again: ${model.to}.\n`);
    if (from !== undefined) context.out.write(`To return: make rollback VERSION=${from}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof RollbackRefusedError)) throw error;
    throw new CommandError(`Nothing was moved: ${error.message}`, { cause: error });
  } finally {
    redis.disconnect();
    await session.close();
  }
}
