import { Worker } from 'node:worker_threads';
import type { Coding } from '../middleware/compressed.ts';
import type { PageAsked } from './document.ts';
import type { Shapes, Which } from './land-shapes.ts';

/** What the thread does: draws a page as a document or the shapes of a map, or packs what is sent. */
export type DrawingTask =
  | { kind: 'page'; page: PageAsked }
  | { kind: 'land'; which: Which }
  | { kind: 'pack'; body: string | Uint8Array; coding: Coding };
export type DrawingRequest = { id: number; task: DrawingTask };
export type DrawingAnswer = { id: number; drawn?: unknown; problem?: string };

/** A page as bytes, with its tag. */
export type DrawnPage = { body: Uint8Array; etag: string };

const WORKER = new URL('drawing-worker.ts', import.meta.url);

type Waiting = { resolve: (drawn: unknown) => void; reject: (error: Error) => void };

let thread: { post: (request: DrawingRequest) => void; waiting: Map<number, Waiting> } | undefined;
let last = 0;

/** Draws a page aside of the thread that answers the API, which a page would hold for some ten milliseconds. */
export async function drawPage(page: PageAsked): Promise<DrawnPage> {
  return (await drawn({ kind: 'page', page })) as DrawnPage;
}

/** Draws outline and borders of a map, which takes a tenth of a second. */
export async function drawLand(which: Which): Promise<Shapes> {
  return (await drawn({ kind: 'land', which })) as Shapes;
}

/** Packs for visitors: calls of the API have the processor first. */
export async function pack(body: string | Uint8Array, coding: Coding): Promise<Buffer> {
  return asBuffer((await drawn({ kind: 'pack', body, coding })) as Uint8Array);
}

/** What came from the thread, without a copy. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

function drawn(task: DrawingTask): Promise<unknown> {
  thread ??= startThread();
  const { post, waiting } = thread;
  const id = (last += 1);
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    post({ id, task });
  });
}

/** Started when the first page is asked for; one that ends fails what waits for it, and is replaced for what comes next. */
function startThread() {
  // It draws what strangers write: no settings, no secrets, and no flags of the process.
  const worker = new Worker(WORKER, { env: {}, execArgv: [] });
  const waiting = new Map<number, Waiting>();
  const settled = (id: number) => {
    const one = waiting.get(id);
    waiting.delete(id);
    // Nothing to do keeps no process alive.
    if (waiting.size === 0) worker.unref();
    return one;
  };
  const ended = (error: Error) => {
    if (thread?.waiting === waiting) thread = undefined;
    for (const id of waiting.keys()) settled(id)?.reject(error);
  };
  worker.on('message', ({ id, drawn, problem }: DrawingAnswer) => {
    const one = settled(id);
    if (problem === undefined) one?.resolve(drawn);
    else one?.reject(new Error(problem));
  });
  worker.on('error', ended);
  worker.on('exit', () => ended(new Error('the thread that draws pages ended')));
  worker.unref();
  return {
    waiting,
    post: (request: DrawingRequest) => {
      worker.ref();
      // Nothing is handed over: what is asked is copied.
      worker.postMessage(request, []);
    },
  };
}
