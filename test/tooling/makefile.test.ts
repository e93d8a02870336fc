import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { tempDir } from '../jobs/helpers/temp-dir.ts';
import packageFile from '../../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** Returns the names that the pattern captures in the Makefile. */
async function matchMakefile(pattern: RegExp): Promise<string[]> {
  const makefile = await readFile(new URL('../../Makefile', import.meta.url), 'utf8');
  return [...new Set(makefile.matchAll(pattern).map(([, name = '']) => name))];
}

/** Returns the commands in a program's help. */
async function listCommands(script: string): Promise<Set<string>> {
  const { stdout } = await run(process.execPath, [script, '--help'], { cwd: ROOT });
  const list = stdout.slice(stdout.indexOf('Commands:'));
  return new Set(list.matchAll(/^ {2}([a-z][a-z-]*)/gm).map(([, name = '']) => name));
}

test('every npm script that the Makefile runs exists', async (t) => {
  const scripts = new Set(Object.keys(packageFile.scripts));
  const unknown = (await matchMakefile(/\$\(RUN\) ([a-z-]+)/g)).filter(
    (name) => !scripts.has(name),
  );
  t.deepEqual(unknown, []);
});

test('the program has every command of the Makefile', async (t) => {
  const commands = await listCommands('jobs/main.ts');
  const unknown = (await matchMakefile(/\$\(HEADWIND\) ([a-z-]+)/g)).filter(
    (name) => !commands.has(name),
  );
  t.deepEqual(unknown, []);
});

test('the menu lists every target for people', async (t) => {
  const { stdout } = await run('make', ['help'], { cwd: ROOT });
  const listed = stdout.matchAll(/^ {2}make ([a-z-]+)/gm).map(([, name]) => name);
  const phony = await matchMakefile(/^\.PHONY: ([a-z-]+)$/gm);
  t.deepEqual(
    [...listed],
    phony.filter((name) => name !== 'ready'),
  );
});

test('targets that need development packages install them if only production packages are installed', async (t) => {
  const folder = await tempDir(t);
  await mkdir(join(folder, 'node_modules'));
  for (const name of ['Makefile', 'package-lock.json', '.npmrc']) {
    await copyFile(join(ROOT, name), join(folder, name));
  }
  await writeFile(join(folder, 'node_modules/.package-lock.json'), '');
  const steps = async (...words: string[]) =>
    (await run('make', ['--dry-run', ...words], { cwd: folder })).stdout;
  for (const name of ['bench', 'check', 'fuzz', 'generate', 'lint', 'test']) {
    t.regex(await steps(name, 'FROM=2025-01', 'OUT=months'), /those of the tests too/, name);
  }
  t.notRegex(await steps('status'), /npm/);
});

test('a missing value is reported with an example, before any work', async (t) => {
  const error = await t.throwsAsync(run('make', ['key', 'NAME=Acme'], { cwd: ROOT }));
  t.regex(String(error), /EMAIL is missing\. Example: make key NAME="Acme Travel" EMAIL=/);
});

test('variables become options of the command, with their values unchanged, and 0 turns a flag off', async (t) => {
  const source = `$(HOME) "a'b" $HOME`;
  const { stdout } = await run(
    'make',
    [
      ...[
        '--no-print-directory',
        '-o',
        'node_modules/.package-lock.json',
        "HEADWIND=printf '%s\\n'",
        'backfill',
      ],
      ...['FROM=2025-01', 'TO=2025-02', 'DRY_RUN=1', 'FORCE=0', `SOURCE=${source}`],
    ],
    { cwd: ROOT },
  );
  t.deepEqual(stdout.trim().split('\n'), [
    ...['backfill', '--from', '2025-01', '--to', '2025-02'],
    ...['--source', source, '--dry-run'],
  ]);
});
