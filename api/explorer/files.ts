import { fileURLToPath } from 'node:url';
import type { BuildOptions, OutputFile } from 'esbuild';
import { loadOnce } from '../../warehouse/ground/load-once.ts';
import { publicDocument, type PublicDocument } from '../routes/public-document.ts';

/** Where the files of the pages lie. */
export const FILES_PATH = '/explorer/files/';

/** Scripts, styles and fonts as browsers take them. */
export type PageFiles = {
  /** By name; a name changes with what is in it. */
  byName: ReadonlyMap<string, PublicDocument>;
  /** Addresses of those every page begins with. */
  script: string;
  theme: string;
  style: string;
  fonts: string[];
  /** The worker that answers for a page while the network is gone; its address stays the same. */
  offline: PublicDocument;
};

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  json: 'application/json; charset=utf-8',
};

/** The files, bundled with the first request; a failure is tried again. */
export const pageFiles: () => Promise<PageFiles> = loadOnce(bundleFiles);

/** Bundles the browser's part with esbuild, in memory: a fraction of a second, and another process that ends with it. */
async function bundleFiles(): Promise<PageFiles> {
  const { build, stop } = await import('esbuild');
  // That process does not keep ours alive, and we wait for it.
  const alive = setInterval(() => undefined, 1_000);
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  try {
    const options: BuildOptions & { write: false } = {
      outdir: here('files'),
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      bundle: true,
      target: 'es2023',
      minify: true,
      loader: { '.woff2': 'file' },
      logLevel: 'silent',
      write: false,
    };
    const built = await Promise.all([
      build({
        ...options,
        entryPoints: { main: here('browser/main.ts'), style: here('style/main.css') },
        splitting: true,
        format: 'esm',
      }),
      // Runs before the page is drawn, which modules do not.
      build({ ...options, entryPoints: { theme: here('browser/theme.ts') }, format: 'iife' }),
    ]);
    const byName = new Map(built.flatMap(({ outputFiles }) => outputFiles).map(fileOf));
    const addresses = [...byName.keys()].map((name) => `${FILES_PATH}${name}`);
    const one = (pattern: RegExp) => addresses.find((address) => pattern.test(address)) ?? '';
    const script = one(/\/main-\w+\.js$/);
    const { outputFiles } = await build({
      ...options,
      entryPoints: { offline: here('browser/offline-worker.ts') },
      format: 'iife',
      define: {
        RELEASE: JSON.stringify(/main-(\w+)\.js$/.exec(script)?.[1]),
        FILES: JSON.stringify(addresses),
      },
    });
    return {
      byName,
      script,
      theme: one(/\/theme-\w+\.js$/),
      style: one(/\.css$/),
      fonts: addresses.filter((address) => /\/b612-latin-\d+-normal-\w+\.woff2$/.test(address)),
      offline: fileOf(outputFiles[0] as OutputFile)[1],
    };
  } finally {
    clearInterval(alive);
    await stop();
  }
}

function fileOf({ path, contents }: OutputFile): [name: string, document: PublicDocument] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return [name, publicDocument(type, Buffer.from(contents))];
}
