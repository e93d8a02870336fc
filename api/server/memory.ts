import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import koffi from 'koffi';

/** Numbers of malloc's settings in glibc's malloc.h. */
const [MMAP_THRESHOLD, TRIM_THRESHOLD, ARENA_MAX] = [-3, -1, -8];
const LARGE_BYTES = 128 * 1024;

/** Answers that were begun with the store before are given by then. */
const AFTER_MS = 1_000;

/**
 * Has memory go back to the system when a store is replaced: what is called when one was. glibc would keep the large
 * buffers of each among its own, in pieces that fit no later one; and the collector, which sees small objects that hold
 * them, would be in no hurry.
 */
export function handMemoryBack(): () => void {
  const set = mallopt();
  for (const name of [MMAP_THRESHOLD, TRIM_THRESHOLD]) set?.(name, LARGE_BYTES);
  set?.(ARENA_MAX, 2);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return () => void setTimeout(collect, AFTER_MS).unref();
}

/** Undefined where the C library is another: there memory goes back by its own rules. */
function mallopt(): ((name: number, value: number) => number) | undefined {
  try {
    return koffi.load('libc.so.6').func('int mallopt(int, int)');
  } catch {
    return undefined;
  }
}
