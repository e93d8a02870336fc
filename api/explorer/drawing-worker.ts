import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { brotliCompressSync, constants as zlib, gzipSync } from 'node:zlib';
import type { Coding } from '../middleware/compressed.ts';
import { publicDocument } from '../routes/public-document.ts';
import type { DrawingAnswer, DrawingRequest, DrawingTask } from './drawing-thread.ts';
import { pageDocument } from './document.ts';
import { shapesOf } from './land-shapes.ts';

/** Quick enough to be done for each visitor. */
const EFFORT = 4;

/**
 * Texts of so many bytes are what a page asks for when a flight is changed. With the effort and window of long ones Brotli takes half
 * a megabyte and more for each, which the allocator, set for large stores, gets from the system and gives back each time: 0.6 ms in
 * place of 0.15.
 */
const SHORT = { bytes: 16_000, effort: 2, window: 16 };

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
  return packedNow(task.body, task.coding);
}

/** On this thread: those zlib has for itself are as important as the one that answers calls. */
function packedNow(body: string | Uint8Array, coding: Coding): Uint8Array {
  if (coding === 'gzip') return gzipSync(body, { level: EFFORT });
  const { BROTLI_PARAM_QUALITY: effort, BROTLI_PARAM_LGWIN: window } = zlib;
  const params =
    body.length <= SHORT.bytes
      ? { [effort]: SHORT.effort, [window]: SHORT.window }
      : { [effort]: EFFORT };
  return brotliCompressSync(body, { params });
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
