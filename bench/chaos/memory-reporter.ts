/**
 * Node loads this file before a program (`NODE_OPTIONS`). It writes the memory of the program's process to
 * `MEMORY_FOLDER` every half minute, as a line of JSON. On SIGUSR2, it also writes a snapshot of the heap to that
 * folder.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The memory at one moment, in MB. */
export type MemoryLine = {
  atS: number;
  /** Resident memory of the process; `anonMb` is its part that is not backed by files. */
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
  setInterval(() => appendFileSync(file, `${JSON.stringify(measureMemory())}\n`), EVERY_MS).unref();
}

function measureMemory(): MemoryLine {
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
