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

/** Deadline of a Redis command in ms. These pages may be slow, and a summary of decades takes time to read. */
export const REDIS_DEADLINE_MS = 2_000;

/** Dependencies of the operators' pages. */
export type OpsDeps = OpsConfig & {
  /** Returns the last summary that a worker wrote; undefined without a summary. */
  summary: () => Promise<OpsSummary | undefined>;
  /** Returns one of the newest runs in the ledger, with its log; undefined if the run is unknown. */
  run: (id: string) => Promise<OpsRunDetail | undefined>;
  /** Returns the reason why Redis refuses writes; undefined if Redis accepts writes. */
  findWriteRefusal: () => Promise<string | undefined>;
  /** Returns the graph of SQL models and checks; undefined if no worker has written one. */
  lineage: () => Promise<Lineage | undefined>;
  operations: OpenOperations;
  sessions: OpsSessions;
  /** Checks the token in the address that `make run` printed last. Each token is valid once. */
  takeEntry: (token: string) => Promise<boolean>;
  /** Checks the key that a visitor enters. */
  keys: Pick<Keystore, 'admit'>;
  /** Returns whether the key of a session is still an active admin key. */
  isAdmin: (prefix: string, at: Date) => Promise<boolean>;
  recordAnswer?: RecordAnswer;
  requestLinesPerS: number;
  now: () => Date;
  log: Logger;
};

/** Returns a run. Throws a 404 if the run is not among the newest runs. */
export async function requireRun({ run }: Pick<OpsDeps, 'run'>, id: string): Promise<OpsRunDetail> {
  const found = await createDeadline(REDIS_DEADLINE_MS).run(() => run(id));
  if (found) return found;
  throw new RequestError(
    404,
    'not_found',
    'This run is not among the newest 300. Older runs are in the ledger. To list them: make sql Q="from runs"',
  );
}
