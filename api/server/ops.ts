import type { RequestListener } from 'node:http';
import type { Redis } from 'ioredis';
import { isAdminNow } from '../../warehouse/keyring/admins.ts';
import { opsSessions } from '../../warehouse/live/ops-sessions.ts';
import { readOpsSummary } from '../../warehouse/live/ops-summary.ts';
import type { OpsDeps } from '../ops/deps.ts';
import type { OpenOperations, Operations } from '../schemas/operations.ts';
import { describeError } from '../redact.ts';

type Parts = Omit<OpsDeps, 'summary' | 'operations' | 'sessions' | 'isAdmin'> & {
  redis: Redis;
  openOperations: OpenOperations;
};

export type RunningOps = { handle: RequestListener; close: () => Promise<void> };

/** The pages of operators; what they are made of is loaded with the first request for one. */
export function openOps({ redis, openOperations, ...parts }: Parts): RunningOps {
  let opened: Promise<Operations> | undefined;
  let listener: Promise<RequestListener> | undefined;
  const open = async (): Promise<RequestListener> => {
    const { createOpsApp } = await import('../ops/app.ts');
    const app = createOpsApp({
      ...parts,
      summary: () => readOpsSummary(redis),
      operations: () => (opened ??= openOperations()),
      sessions: opsSessions(redis),
      isAdmin: (prefix, at) => isAdminNow(redis, prefix, at),
    });
    const handle = app.callback();
    return (request, response) => void handle(request, response);
  };
  return {
    handle: (request, response) => {
      listener ??= open();
      listener.then(
        (answer) => answer(request, response),
        (error: unknown) => {
          listener = undefined;
          parts.log.error({ error: describeError(error) }, "operators' pages not loaded");
          response.writeHead(500).end();
        },
      );
    },
    close: async () => {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
