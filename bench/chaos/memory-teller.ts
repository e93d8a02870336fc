/**
 * Loaded before a program (`NODE_OPTIONS`): writes each half minute what its process holds to `MEMORY_FOLDER`, one line of
 * JSON at a time. Whoever sends SIGUSR2 gets a snapshot of the heap there too.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Of one moment, in MB. */
export type MemoryLine = {
  atS: number;
  /** Of the process; `anonMb` of it is not of files. */
  residentMb: number;
  anonMb: number;
  heapTotalMb: number;
  heapUsedMb: number;
  externalMb: number;
  arrayBuffersMb: number;
  descriptors: number;
};

const EVERY_MS = 30_000;
const folder = process.env['MEMORY_FOLDER'];

if (folder !== undefined) {
  const file = path.join(folder, `${process.pid}.jsonl`);
  setInterval(() => appendFileSync(file, `${JSON.stringify(memoryNow())}\n`), EVERY_MS).unref();
}

function memoryNow(): MemoryLine {
  const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const anon = /RssAnon:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return {
    atS: Math.round(process.uptime()),
    residentMb: megabytes(rss),
    anonMb: megabytes(Number(anon) * 1024),
    heapTotalMb: megabytes(heapTotal),
    heapUsedMb: megabytes(heapUsed),
    externalMb: megabytes(external),
    arrayBuffersMb: megabytes(arrayBuffers),
    descriptors: readdirSync('/proc/self/fd').length,
  };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
