import { Worker } from 'node:worker_threads';
import type { Coding } from '../middleware/compression.ts';
import type { PageRequest } from './document.ts';
import type { Shapes, Region } from './land-shapes.ts';
import type { Card } from './views/page.ts';

/** A task for the thread: draw a page or an image for chats, project the shapes of a map, or compress a body. */
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
 * Draws a page in the drawing thread. If the thread that answers the API drew the page, calls would wait for about ten
 * milliseconds.
 */
export async function drawPage(page: PageRequest): Promise<DrawnPage> {
  return (await runTask({ kind: 'page', page })) as DrawnPage;
}

/** Draws an image for chats as PNG, which takes about 40 milliseconds. */
export async function drawCard(card: Card): Promise<Uint8Array> {
  return (await runTask({ kind: 'card', card })) as Uint8Array;
}

/** Draws the outline and borders of a map, which takes a tenth of a second. */
export async function drawMapShapes(region: Region): Promise<Shapes> {
  return (await runTask({ kind: 'land', region })) as Shapes;
}

/** Compresses a body for visitors, at a lower priority than API calls. */
export async function compressInThread(body: string | Uint8Array, coding: Coding): Promise<Buffer> {
  return asBuffer((await runTask({ kind: 'pack', body, coding })) as Uint8Array);
}

/** Views the bytes from the thread as a Buffer, without copying them. */
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

/** Starts the thread. If the thread ends, the pending tasks fail, and the next task starts a new thread. */
function startThread() {
  // The thread handles text written by strangers, so the thread gets no settings, no secrets and no process flags.
  const worker = new Worker(WORKER, { env: {}, execArgv: [] });
  const pending = new Map<number, PendingTask>();
  const takePending = (id: number) => {
    const task = pending.get(id);
    pending.delete(id);
    // An idle thread must not keep the process alive.
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
      // The request is copied: no buffer is transferred.
      worker.postMessage(request, []);
    },
  };
}
