import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { sha256 } from '../../warehouse/ground/sha256.ts';

/** Packages of many small files: reading those is a third of what the start of a process takes. */
const PACKAGES = [
  '@duckdb/node-api',
  'apache-arrow',
  'bullmq',
  'cockatiel',
  'cron-parser',
  'fast-xml-parser',
  'ioredis',
  'prom-client',
  'protobufjs',
  'zod',
];

/**
 * Puts each of these packages into a file or two, once for a lock file, under `root`'s cache. Returns the path of a script that
 * makes our own code import those in their place; it is the same code. Other packages go on as they are: they may have versions of
 * their own.
 */
export async function packPackages(root: string): Promise<string> {
  const cache = join(root, 'node_modules/.cache');
  const lock = await readFile(join(root, 'package-lock.json'));
  const own = await readFile(import.meta.filename);
  const folder = join(cache, `headwind-packed-${sha256(Buffer.concat([lock, own])).slice(0, 16)}`);
  const hook = join(folder, 'hook.cjs');
  if (existsSync(hook)) return hook;
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(join(cache, 'headwind-packing-'));
  const entryPoints: Record<string, string> = {};
  for (const name of PACKAGES) {
    const entry = join(made, `${fileName(name)}.entry.mjs`);
    await writeFile(entry, await exportsOf(name));
    entryPoints[fileName(name)] = entry;
  }
  await build({
    entryPoints,
    outdir: made,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outExtension: { '.js': '.mjs' },
    external: ['@duckdb/node-bindings', 'msgpackr-extract'],
    banner: { js: AS_COMMON_JS },
    logLevel: 'error',
  });
  await writeFile(join(made, 'hook.cjs'), hookTo(folder));
  // Another run may have been quicker.
  await rename(made, folder).catch(() => rm(made, { recursive: true }));
  return hook;
}

/** What code that was a CommonJS module takes for granted. */
const AS_COMMON_JS = `import { createRequire as createRequireOf } from 'node:module';
const require = createRequireOf(import.meta.url);
const [__filename, __dirname] = [import.meta.filename, import.meta.dirname];`;

/** A module that exports all that the package does, by name: esbuild knows no names of a CommonJS one. */
async function exportsOf(name: string): Promise<string> {
  const names = Object.keys((await import(name)) as object);
  const named = names.filter((one) => /^[A-Za-z_$][\w$]*$/.test(one) && one !== '__esModule');
  return `export { ${named.join(', ')} } from '${name}';\n`;
}

function hookTo(folder: string): string {
  const urls = PACKAGES.map((name) => {
    return [name, pathToFileURL(join(folder, `${fileName(name)}.mjs`)).href];
  });
  return `const urls = new Map(${JSON.stringify(urls)});
require('node:module').registerHooks({
  resolve: (name, context, next) => {
    const isOurs = !context.parentURL?.includes('/node_modules/') && context.conditions.includes('import');
    const url = isOurs ? urls.get(name) : undefined;
    return url === undefined ? next(name, context) : { url, format: 'module', shortCircuit: true };
  },
});
`;
}

function fileName(name: string): string {
  return name.replaceAll(/\W/g, '_');
}
