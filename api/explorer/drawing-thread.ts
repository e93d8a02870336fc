import { Worker } from 'node:worker_threads';
import type { Coding } from '../middleware/compression.ts';
import type { PageRequest } from './document.ts';
import type { Shapes, Region } from './land-shapes.ts';
import type { Card } from './views/page.ts';

/** A task for the drawing thread: draw a page, draw the preview image of a link, draw a map, or compress a body. */
export type DrawingTask =
  | { kind: 'page'; page: PageRequest }
  | { kind: 'land'; region: Region }
  | { kind: 'card'; card: Card }
  | { kind: 'pack'; body: string | Uint8Array; coding: Coding };
export type DrawingRequest = { id: number; task: DrawingTask };
export type DrawingAnswer = { id: number; result?: unknown; problem?: string };

/** A page as bytes, with its ETag. */
export type DrawnPage = { body: Uint8Array; etag: string };

const WORKER = new URL('drawing-worker.ts', import.meta.url);

type PendingTask = { resolve: (result: unknown) => void; reject: (error: Error) => void };

let thread:
  | { post: (request: DrawingRequest) => void; pending: Map<number, PendingTask> }
  | undefined;
let lastId = 0;

/**
 * Draws a page in the drawing thread, because drawing takes about ten milliseconds. In the main thread, API calls would
 * wait during this time.
 */
export async function drawPage(page: PageRequest): Promise<DrawnPage> {
  return (await runTask({ kind: 'page', page })) as DrawnPage;
}

/** Draws the preview image of a link as PNG. This takes about 40 milliseconds. */
export async function drawCard(card: Card): Promise<Uint8Array> {
  return (await runTask({ kind: 'card', card })) as Uint8Array;
}

/** Draws the outline and borders of a map. This takes a tenth of a second. */
export async function drawMapShapes(region: Region): Promise<Shapes> {
  return (await runTask({ kind: 'land', region })) as Shapes;
}

/** Compresses a body in the drawing thread, at a lower priority than API calls. */
export async function compressInThread(body: string | Uint8Array, coding: Coding): Promise<Buffer> {
  return asBuffer((await runTask({ kind: 'pack', body, coding })) as Uint8Array);
}

/** Returns the bytes as a Buffer, without copying them. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

function runTask(task: DrawingTask): Promise<unknown> {
  thread ??= startThread();
  const { post, pending } = thread;
  const id = (lastId += 1);
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    post({ id, task });
  });
}

/** Starts the drawing thread. If the thread ends, its pending tasks fail. The next task starts a new thread. */
function startThread() {
  // The thread gets no settings, secrets or process flags, because it handles text from strangers.
  const worker = new Worker(WORKER, { env: {}, execArgv: [] });
  const pending = new Map<number, PendingTask>();
  const takePending = (id: number) => {
    const task = pending.get(id);
    pending.delete(id);
    // An idle thread must not prevent the process from ending.
    if (pending.size === 0) worker.unref();
    return task;
  };
  const failAll = (error: Error) => {
    if (thread?.pending === pending) thread = undefined;
    for (const id of pending.keys()) takePending(id)?.reject(error);
  };
  worker.on('message', ({ id, result, problem }: DrawingAnswer) => {
    const task = takePending(id);
    if (problem === undefined) task?.resolve(result);
    else task?.reject(new Error(problem));
  });
  worker.on('error', failAll);
  worker.on('exit', () => failAll(new Error('the drawing thread exited')));
  worker.unref();
  return {
    pending,
    post: (request: DrawingRequest) => {
      worker.ref();
      // The empty list makes `postMessage` copy the task to the thread instead of transferring it.
      worker.postMessage(request, []);
    },
  };
}
