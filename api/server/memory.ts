import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import koffi from 'koffi';

/** Option numbers from glibc's malloc.h. */
const [MMAP_THRESHOLD, TRIM_THRESHOLD] = [-3, -1];
/**
 * Buffers of this size or more belong to a store. A chunk of a store has half a megabyte, and a file has several
 * chunks.
 */
const LARGE_BYTES = 384 * 1024;
/**
 * Amount of free memory that malloc retains for the next requests. Returning this memory each time would take a sixth
 * of the time of a request.
 */
const RETAINED_BYTES = 16 * 1024 ** 2;

/**
 * Delay from the replacement of the store to the garbage collection. Answers that use the former store end within this
 * delay. With a longer delay, three stores could be in memory at once.
 */
const COLLECT_DELAY_MS = 250;

/**
 * Configures the process to return free memory to the system. Call the returned function after each replacement of the
 * store.
 * glibc would otherwise keep the freed memory of a store in fragments, too small for the buffers of the next store. The
 * garbage collector would run too late, because it does not count the size of these buffers.
 */
export function configureMemoryRelease(): () => void {
  const setOption = loadMallopt();
  setOption?.(MMAP_THRESHOLD, LARGE_BYTES);
  setOption?.(TRIM_THRESHOLD, RETAINED_BYTES);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return () => void setTimeout(collect, COLLECT_DELAY_MS).unref();
}

/** Returns undefined if the C library is not glibc. Other libraries release memory by their own rules. */
function loadMallopt(): ((name: number, value: number) => number) | undefined {
  try {
    return koffi.load('libc.so.6').func('int mallopt(int, int)');
  } catch {
    return undefined;
  }
}
