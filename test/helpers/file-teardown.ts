import type { ExecutionContext } from 'ava';
import type { AtEnd } from './redis.ts';

export type Teardown = Pick<ExecutionContext, 'teardown'>;

/**
 * Replaces the `t` of a test for resources that several tests of a file share. The resources are closed after the last
 * test of the file, in reverse order. Use at the top level: `const file = fileTeardown((stop) =>
 * test.after.always(stop))`.
 */
export function fileTeardown(atEnd: AtEnd): Teardown {
  const ends: (() => unknown)[] = [];
  atEnd(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return { teardown: (end) => void ends.push(end) };
}
