import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Middleware } from 'koa';
import type { Operations } from '../schemas/operations.ts';
import { boardServer } from './board-server.ts';
import { BOARD_PATH } from './paths.ts';

/** Creates the page of all queues and jobs. Without `hasWrites`, the page is read-only. */
export function queueBoard(operations: Pick<Operations, 'boards'>, hasWrites: boolean): Middleware {
  const { adapter: serverAdapter, middleware } = boardServer(BOARD_PATH);
  createBullBoard({
    queues: operations
      .boards()
      .map((queue) => new BullMQAdapter(queue as BoardQueue, { readOnlyMode: !hasWrites })),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: 'Headwind queues',
        hideRedisDetails: true,
        miscLinks: [{ text: 'Headwind operations', url: '/ops' }],
      },
    },
  });
  return middleware();
}

type BoardQueue = ConstructorParameters<typeof BullMQAdapter>[0];
