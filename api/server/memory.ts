import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import koffi from 'koffi';

/** Numbers of malloc's settings in glibc's malloc.h. */
const [MMAP_THRESHOLD, TRIM_THRESHOLD] = [-3, -1];
/** As large are only parts of a store: pieces of half a megabyte, in which it comes, and what they are put together to. */
const LARGE_BYTES = 384 * 1024;
/** What requests and the collector take and give must not go back each time: that would cost a sixth of a request. */
const KEPT_BYTES = 16 * 1024 ** 2;

/** Answers that were begun with the store before are given by then; later, the next version may be there beside both. */
const AFTER_MS = 250;

/**
 * Has memory go back to the system when a store is replaced: what is called when one was. glibc would keep the large
 * buffers of each among its own, in pieces that fit no later one; and the collector, which sees small objects that hold
 * them, would be in no hurry.
 */
export function handMemoryBack(): () => void {
  const set = mallopt();
  set?.(MMAP_THRESHOLD, LARGE_BYTES);
  set?.(TRIM_THRESHOLD, KEPT_BYTES);
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
