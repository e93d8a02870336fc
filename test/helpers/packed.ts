import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { sha256 } from '../../warehouse/ground/hashes.ts';

/** Packages that consist of many small files. Reading these files takes a third of the start time of a process. */
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
 * Bundles each of these packages into one or two files in the cache of `root`, once per lock file. Returns the path of
 * a script. The script makes our own code import the bundles, which contain the same code. Imports by other packages
 * are not redirected, because these packages may need other versions.
 */
export async function bundlePackages(root: string): Promise<string> {
  const cache = join(root, 'node_modules/.cache');
  const lock = await readFile(join(root, 'package-lock.json'));
  const own = await readFile(import.meta.filename);
  const folder = join(cache, `headwind-packed-${sha256(Buffer.concat([lock, own])).slice(0, 16)}`);
  const hook = join(folder, 'hook.cjs');
  if (existsSync(hook)) return hook;
  await mkdir(cache, { recursive: true });
  const buildDir = await mkdtemp(join(cache, 'headwind-packing-'));
  const entryPoints: Record<string, string> = {};
  for (const name of PACKAGES) {
    const entry = join(buildDir, `${fileName(name)}.entry.mjs`);
    await writeFile(entry, await buildEntry(name));
    entryPoints[fileName(name)] = entry;
  }
  await build({
    entryPoints,
    outdir: buildDir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outExtension: { '.js': '.mjs' },
    external: ['@duckdb/node-bindings', 'msgpackr-extract'],
    banner: { js: COMMON_JS_GLOBALS },
    logLevel: 'error',
  });
  await writeFile(join(buildDir, 'hook.cjs'), buildHook(folder));
  // Another run may have finished first.
  await rename(buildDir, folder).catch(() => rm(buildDir, { recursive: true }));
  return hook;
}

/** Globals that former CommonJS modules expect. */
const COMMON_JS_GLOBALS = `import { createRequire as createRequireOf } from 'node:module';
const require = createRequireOf(import.meta.url);
const [__filename, __dirname] = [import.meta.filename, import.meta.dirname];`;

/**
 * Builds a module that exports everything of the package by name, because esbuild finds no names in a CommonJS module.
 */
async function buildEntry(name: string): Promise<string> {
  const names = Object.keys((await import(name)) as object);
  const exported = names.filter((word) => /^[A-Za-z_$][\w$]*$/.test(word) && word !== '__esModule');
  return `export { ${exported.join(', ')} } from '${name}';\n`;
}

function buildHook(folder: string): string {
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
