import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import koffi from 'koffi';

/** Numbers of malloc options in glibc's malloc.h. */
const [MMAP_THRESHOLD, TRIM_THRESHOLD] = [-3, -1];
/**
 * Only the buffers of a store are at least this large. These buffers are chunks of half a megabyte, and files assembled
 * from chunks.
 */
const LARGE_BYTES = 384 * 1024;
/**
 * Free memory that malloc retains for requests and the garbage collector. Returning this memory each time would take a
 * sixth of the time of a request.
 */
const RETAINED_BYTES = 16 * 1024 ** 2;

/**
 * Delay that is long enough to finish answers from the former store, and short enough that no third version is in
 * memory.
 */
const COLLECT_DELAY_MS = 250;

/**
 * Makes the process return memory to the system. Call the returned function after a store was replaced. Without these
 * settings and calls, glibc would keep the memory of each store in fragments that are too small for the large buffers
 * of later stores. The garbage collector would run too late, because it sees only the small objects that refer to the
 * buffers.
 */
export function configureMemoryRelease(): () => void {
  const setOption = loadMallopt();
  setOption?.(MMAP_THRESHOLD, LARGE_BYTES);
  setOption?.(TRIM_THRESHOLD, RETAINED_BYTES);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return () => void setTimeout(collect, COLLECT_DELAY_MS).unref();
}

/** Returns undefined when the C library is not glibc; such a library releases memory by its own rules. */
function loadMallopt(): ((name: number, value: number) => number) | undefined {
  try {
    return koffi.load('libc.so.6').func('int mallopt(int, int)');
  } catch {
    return undefined;
  }
}
