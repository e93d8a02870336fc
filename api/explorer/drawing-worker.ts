import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { publicDocument } from '../routes/public-document.ts';
import type { DrawingAnswer, DrawingRequest, DrawingTask } from './drawing-thread.ts';
import { pageDocument } from './document.ts';
import { shapesOf } from './land-shapes.ts';
import { packNow } from './pack-now.ts';

giveWay();

/** The thread that draws: one task after the other. */
parentPort?.on('message', ({ id, task }: DrawingRequest) => {
  void answerOf(id, task).then((answer) => parentPort?.postMessage(answer, []));
});

async function answerOf(id: number, task: DrawingTask): Promise<DrawingAnswer> {
  try {
    return { id, drawn: await done(task) };
  } catch (error) {
    return { id, problem: (error as Error).stack ?? String(error) };
  }
}

function done(task: DrawingTask): unknown {
  if (task.kind === 'page') return pageOf(task);
  if (task.kind === 'land') return shapesOf(task.which);
  return packNow(task.body, task.coding);
}

function pageOf({ page }: DrawingTask & { kind: 'page' }) {
  const { body, etag } = publicDocument(
    'text/html; charset=utf-8',
    Buffer.from(pageDocument(page)),
  );
  return { body, etag };
}

/** On Linux a thread has a priority of its own: calls of the API go first where both want the processor. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // A supervisor may forbid it; pages are drawn all the same.
  }
}
