import type { RequestListener } from 'node:http';
import type { Redis } from 'ioredis';
import { findWriteRefusal } from '../../warehouse/ground/write-probe.ts';
import { loadOnce } from '../../warehouse/ground/load-once.ts';
import { consumeEntryToken, opsSessions } from '../../warehouse/live/ops-entry.ts';
import { readLineage } from '../../warehouse/live/lineage.ts';
import { readOpsRun } from '../../warehouse/live/ops-runs.ts';
import { readOpsSummary } from '../../warehouse/live/ops-summary.ts';
import type { OpsDeps } from '../ops/deps.ts';
import type { OpenOperations, Operations } from '../schemas/operations.ts';
import { describeError } from '../redact.ts';
import { isAdminNow } from '../../warehouse/keyring/key-admin.ts';

type Parts = Omit<
  OpsDeps,
  | 'summary'
  | 'findWriteRefusal'
  | 'run'
  | 'lineage'
  | 'operations'
  | 'sessions'
  | 'takeEntry'
  | 'isAdmin'
> & {
  redis: Redis;
  openOperations: OpenOperations;
};

export type RunningOps = { handle: RequestListener; close: () => Promise<void> };

/**
 * Serves the operators' pages. Their code is loaded on the first request. If loading fails, the next request tries
 * again.
 */
export function openOps({ redis, openOperations, ...parts }: Parts): RunningOps {
  let opening: Promise<Operations> | undefined;
  const operations = loadOnce(() => (opening = openOperations()));
  const listener = loadOnce(async (): Promise<RequestListener> => {
    const { createOpsApp } = await import('../ops/app.ts');
    const app = createOpsApp({
      ...parts,
      summary: () => readOpsSummary(redis),
      run: (id) => readOpsRun(redis, id),
      lineage: () => readLineage(redis),
      findWriteRefusal: () => findWriteRefusal(redis),
      operations,
      sessions: opsSessions(redis),
      takeEntry: (token) => consumeEntryToken(redis, token),
      isAdmin: (prefix, at) => isAdminNow(redis, prefix, at),
    });
    const handle = app.callback();
    return (request, response) => void handle(request, response);
  });
  return {
    handle: (request, response) => {
      listener().then(
        (answer) => answer(request, response),
        (error: unknown) => {
          parts.log.error({ error: describeError(error) }, "operators' pages not loaded");
          response.writeHead(500).end();
        },
      );
    },
    close: async () => {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}
