import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { KoaAdapter } from '@bull-board/koa';
import type { Middleware } from 'koa';
import type { Operations } from '../schemas/operations.ts';
import { BOARD_PATH } from './paths.ts';

/** A page of every queue and job, which only shows them unless it may write. */
export function queueBoard(operations: Pick<Operations, 'boards'>, hasWrites: boolean): Middleware {
  const serverAdapter = new KoaAdapter();
  serverAdapter.setBasePath(BOARD_PATH);
  createBullBoard({
    queues: operations
      .boards()
      .map((queue) => new BullMQAdapter(queue as BoardQueue, { readOnlyMode: !hasWrites })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Headwind queues', hideRedisDetails: true } },
  });
  return serverAdapter.registerPlugin() as Middleware;
}

type BoardQueue = ConstructorParameters<typeof BullMQAdapter>[0];
