import { parentPort } from 'node:worker_threads';
import { brotliCompressSync, constants as zlib, gzipSync } from 'node:zlib';
import { lowerThreadPriority } from '../../warehouse/ground/priority.ts';
import type { Coding } from '../middleware/compression.ts';
import { publicDocument } from '../routes/public-document.ts';
import type { DrawingAnswer, DrawingRequest, DrawingTask } from './drawing-thread.ts';
import { pageDocument } from './document.ts';
import { projectShapes } from './land-shapes.ts';
import type { Card } from './views/page.ts';

/** Compression level that is fast enough for every answer. */
const LEVEL = 4;

/**
 * Settings for short texts. For example, a page fetches a short answer when the visitor changes the flight. With the
 * settings for long texts, Brotli would allocate half a megabyte or more for each text. Our memory allocator would get
 * this memory from the system every time. Compression would take 0.6 ms instead of 0.15 ms.
 */
const SHORT = { bytes: 16_000, level: 2, window: 16 };

// Only Linux has priorities per thread; elsewhere, the priority of the whole API would change.
if (process.platform === 'linux') lowerThreadPriority();

/** Runs the tasks one after another. */
parentPort?.on('message', ({ id, task }: DrawingRequest) => {
  void answerOf(id, task).then((answer) => parentPort?.postMessage(answer, []));
});

async function answerOf(id: number, task: DrawingTask): Promise<DrawingAnswer> {
  try {
    return { id, result: await runTask(task) };
  } catch (error) {
    return { id, problem: (error as Error).stack ?? String(error) };
  }
}

function runTask(task: DrawingTask): unknown {
  if (task.kind === 'page') return drawPage(task);
  if (task.kind === 'land') return projectShapes(task.region);
  if (task.kind === 'card') return drawCard(task.card);
  return compressSync(task.body, task.coding);
}

/** Compresses in this thread. Zlib's own threads would have the same priority as the thread that answers API calls. */
function compressSync(body: string | Uint8Array, coding: Coding): Uint8Array {
  if (coding === 'gzip') return gzipSync(body, { level: LEVEL });
  const { BROTLI_PARAM_QUALITY: level, BROTLI_PARAM_LGWIN: window } = zlib;
  const params =
    body.length <= SHORT.bytes
      ? { [level]: SHORT.level, [window]: SHORT.window }
      : { [level]: LEVEL };
  return brotliCompressSync(body, { params });
}

function drawPage({ page }: DrawingTask & { kind: 'page' }) {
  const { body, etag } = publicDocument(
    'text/html; charset=utf-8',
    Buffer.from(pageDocument(page)),
  );
  return { body, etag };
}

/** Loads the renderer only when the first preview image is drawn, because most processes never draw preview images. */
async function drawCard(card: Card): Promise<Uint8Array> {
  const [{ Resvg }, { cardSvg, CARD_WIDTH }] = await Promise.all([
    import('@resvg/resvg-js'),
    import('./card-svg.ts'),
  ]);
  const options = {
    fitTo: { mode: 'width' as const, value: CARD_WIDTH },
    font: { loadSystemFonts: false },
  };
  return new Resvg(await cardSvg(card), options).render().asPng();
}
