import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** A folder with the code of this version or of another version, and with the installed packages. */
export type Checkout = {
  folder: string;
  /** Runs a command of the checkout with only these settings, and returns the command's output. */
  run: (args: string[], settings: Record<string, string>) => Promise<string>;
  /** Node's flags for the process that answers requests. */
  nodeFlags: readonly string[];
  /** Returns the file and the first arguments of the program that runs a command. */
  programOf: (command: string) => [file: string, ...args: string[]];
};

const execute = promisify(execFile);

const OWN = path.join(import.meta.dirname, '../..');
const FLAGS_FILE = 'jobs/processes/api-node-flags.ts';
/** Commands that are in a separate program in older versions. */
const FORMER_API_COMMANDS = new Set(['serve', 'key']);

/** Returns the checkout of this version. */
export function ownCheckout(): Promise<Checkout> {
  return checkoutIn(OWN);
}

/**
 * Opens another version: a folder with its packages installed, or a commit. A commit is checked out in `into`, and its
 * packages are installed there.
 */
export async function openCheckout(place: string, into: string): Promise<Checkout> {
  if (existsSync(place)) return checkoutIn(path.resolve(place));
  const folder = path.join(into, 'checkout');
  await execute('git', ['worktree', 'add', '--detach', folder, place], { cwd: OWN });
  await execute('npm', ['install', '--no-save', '--loglevel=error'], { cwd: folder });
  return checkoutIn(folder);
}

/** Removes the worktree that `openCheckout` made in `into`, if any. */
export async function closeCheckout(into: string): Promise<void> {
  const folder = path.join(into, 'checkout');
  if (!existsSync(folder)) return;
  await execute('git', ['worktree', 'remove', '--force', folder], { cwd: OWN });
}

async function checkoutIn(folder: string): Promise<Checkout> {
  const node = path.join(folder, 'node_modules/.bin/node');
  const programOf: Checkout['programOf'] = (command) => {
    const former = path.join(folder, 'api/main.ts');
    const isFormer = FORMER_API_COMMANDS.has(command) && existsSync(former);
    return [isFormer ? former : path.join(folder, 'jobs/main.ts'), command];
  };
  return {
    folder,
    nodeFlags: await readNodeFlags(folder),
    programOf,
    run: async ([command = '', ...args], settings) => {
      const { PATH = '' } = process.env;
      const env = { PATH, ...settings };
      const { stdout } = await execute(node, [...programOf(command), ...args], {
        ...{ cwd: folder, env, maxBuffer: 100_000_000 },
      });
      return stdout;
    },
  };
}

/** Returns the flags that a version sets for its API processes. A version without the file sets no flags. */
async function readNodeFlags(folder: string): Promise<readonly string[]> {
  const file = path.join(folder, FLAGS_FILE);
  if (!existsSync(file)) return [];
  const { NODE_FLAGS } = (await import(pathToFileURL(file).href)) as { NODE_FLAGS: string[] };
  return NODE_FLAGS;
}
