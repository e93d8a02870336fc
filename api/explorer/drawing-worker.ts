import { parentPort } from 'node:worker_threads';
import { publicDocument } from '../routes/public-document.ts';
import type { DrawingAnswer, DrawingRequest, DrawingTask } from './drawing-thread.ts';
import { pageDocument } from './document.ts';
import { shapesOf } from './land-shapes.ts';

/** The thread that draws: one task after the other. */
parentPort?.on('message', ({ id, task }: DrawingRequest) => {
  void answerOf(id, task).then((answer) => parentPort?.postMessage(answer, []));
});

async function answerOf(id: number, task: DrawingTask): Promise<DrawingAnswer> {
  try {
    return { id, drawn: task.kind === 'page' ? pageOf(task) : await shapesOf(task.which) };
  } catch (error) {
    return { id, problem: (error as Error).stack ?? String(error) };
  }
}

function pageOf({ page }: DrawingTask & { kind: 'page' }) {
  const { body, etag } = publicDocument(
    'text/html; charset=utf-8',
    Buffer.from(pageDocument(page)),
  );
  return { body, etag };
}
