import { registerHooks } from 'node:module';
import ava, { type TestFn } from 'ava';

type Call = { names: string[]; args: unknown[] };
type Chain = ((...args: unknown[]) => void) & { [name: string]: Chain };

const calls: Call[] = [];
let file = '';

/**
 * Declares the tests of all these files, each as `test.serial`: in a process that many files share, all tests at a time
 * would hold up each other's clocks and need much memory.
 */
export async function declareTests(files: string[]): Promise<void> {
  for (file of files) {
    const before = calls.length;
    await import(`../${file}`);
    if (calls.length === before) throw new Error(`${file} declares no tests`);
  }
  // In one go, as AVA wants it.
  for (const { names, args } of calls) {
    const chain = names.length === 0 ? ['serial'] : names;
    chain.reduce((of, name) => of[name] as Chain, ava as unknown as Chain)(...args);
  }
}

/** Stands for AVA's `test`, or what of it has those names: takes down how it is called. */
function takeDown(names: string[]): unknown {
  return new Proxy(() => undefined, {
    get: (_, name) => takeDown([...names, String(name)]),
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
export default takeDown([]) as TestFn;
