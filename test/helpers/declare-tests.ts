import { registerHooks } from 'node:module';
import ava, { type TestFn } from 'ava';

type Call = { names: string[]; args: unknown[] };
type Chain = ((...args: unknown[]) => void) & { [name: string]: Chain };

const calls: Call[] = [];
let file = '';

/**
 * Declares the tests of all these files as `test.serial`. Many files share one process. Concurrent tests in it would
 * delay each other's timers and need much memory.
 */
export async function declareTests(files: string[]): Promise<void> {
  for (file of files) {
    const before = calls.length;
    await import(`../${file}`);
    if (calls.length === before) throw new Error(`${file} declares no tests`);
  }
  // No `await` may interrupt this loop: AVA requires all tests to be declared synchronously.
  for (const { names, args } of calls) {
    const chain = names.length === 0 ? ['serial'] : names;
    chain.reduce((test, name) => test[name] as Chain, ava as unknown as Chain)(...args);
  }
}

/** Returns a fake of AVA's `test`, or of a property of `test` such as `test.serial`. The fake records its calls. */
function recordCalls(names: string[]): unknown {
  return new Proxy(() => undefined, {
    get: (_, name) => recordCalls([...names, String(name)]),
    apply: (_, _self, [title, ...rest]: unknown[]) => {
      const first = typeof title === 'string' ? `${file} › ${title}` : title;
      calls.push({ names, args: [first, ...rest] });
    },
  });
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'ava' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});

// oxlint-disable-next-line import/no-default-export -- what the files import as `ava` is this module
export default recordCalls([]) as TestFn;
