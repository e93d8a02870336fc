import { createDeadline } from '../../warehouse/keyring/deadline.ts';
import type { OpsRunDetail } from '../../warehouse/live/ops-runs.ts';
import { RequestError } from '../errors.ts';
import { REDIS_DEADLINE_MS, type OpsDeps } from './deps.ts';

/** Returns a run; throws a 404 if it is not one of the newest runs. */
export async function requireRun({ run }: Pick<OpsDeps, 'run'>, id: string): Promise<OpsRunDetail> {
  const found = await createDeadline(REDIS_DEADLINE_MS).run(() => run(id));
  if (found) return found;
  throw new RequestError(
    404,
    'not_found',
    'This run is not among the newest 300. The ledger has it: make sql Q="from runs"',
  );
}
