import type { Logger } from 'pino';
import type { Keystore } from '../../warehouse/keyring/keystore.ts';
import type { Lineage } from '../../warehouse/live/lineage.ts';
import type { OpsRunDetail } from '../../warehouse/live/ops-runs.ts';
import type { OpsSummary } from '../../warehouse/live/ops-summary.ts';
import type { OpsConfig } from '../config.ts';
import type { RecordAnswer } from '../metrics/api-metrics.ts';
import type { OpenOperations } from '../schemas/operations.ts';
import { createDeadline } from '../../warehouse/keyring/deadline.ts';
import { RequestError } from '../errors.ts';
import type { OpsSessions } from '../../warehouse/live/ops-entry.ts';

/** Deadline of a Redis command, long enough to read a summary of decades. These pages are not on the API's hot path. */
export const REDIS_DEADLINE_MS = 2_000;

/** Dependencies of the operators' pages. */
export type OpsDeps = OpsConfig & {
  /** The last summary of a worker; undefined if no worker has written one. */
  summary: () => Promise<OpsSummary | undefined>;
  /** One of the newest runs of the ledger, with its log; undefined if the run is unknown. */
  run: (id: string) => Promise<OpsRunDetail | undefined>;
  /** Why Redis refuses writes; undefined if it accepts them. */
  findWriteRefusal: () => Promise<string | undefined>;
  /** The graph of models and checks; undefined if no worker has written it. */
  lineage: () => Promise<Lineage | undefined>;
  operations: OpenOperations;
  sessions: OpsSessions;
  /** Checks the token of the newest address that `make run` printed. A check uses the token up. */
  takeEntry: (token: string) => Promise<boolean>;
  /** Checks keys at the login. */
  keys: Pick<Keystore, 'admit'>;
  /** Whether the key of a session is still an active admin key. */
  isAdmin: (prefix: string, at: Date) => Promise<boolean>;
  recordAnswer?: RecordAnswer;
  requestLinesPerS: number;
  now: () => Date;
  log: Logger;
};

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
