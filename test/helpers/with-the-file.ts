import type { ExecutionContext } from 'ava';
import type { AtEnd } from './redis.ts';

export type Teardown = Pick<ExecutionContext, 'teardown'>;

/**
 * Stands in place of a test for what several tests use one after the other: it ends with the file, the last begun first.
 * At the top level: `const file = withTheFile((stop) => test.after.always(stop))`.
 */
export function withTheFile(atEnd: AtEnd): Teardown {
  const ends: (() => unknown)[] = [];
  atEnd(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return { teardown: (end) => void ends.push(end) };
}
