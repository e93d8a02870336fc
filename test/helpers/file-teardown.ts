import type { ExecutionContext } from 'ava';
import type { AtEnd } from './redis.ts';

export type Teardown = Pick<ExecutionContext, 'teardown'>;

/**
 * Replaces the `t` of a test for things that several tests of a file share. They end with the file, the last one first.
 * Use at the top level: `const file = fileTeardown((stop) => test.after.always(stop))`.
 */
export function fileTeardown(atEnd: AtEnd): Teardown {
  const ends: (() => unknown)[] = [];
  atEnd(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return { teardown: (end) => void ends.push(end) };
}
