import { fileURLToPath } from 'node:url';
import type { BuildOptions, OutputFile } from 'esbuild';
import { loadOnce } from '../../warehouse/ground/load-once.ts';
import { publicDocument, type PublicDocument } from '../routes/public-document.ts';

/** Path of the pages' scripts, styles and fonts. */
export const FILES_PATH = '/explorer/files/';

/** Bundled scripts, styles and fonts. */
export type PageFiles = {
  /** Files by name. A name contains a hash of the content. */
  byName: ReadonlyMap<string, PublicDocument>;
  /** Addresses of the files that every page loads. */
  script: string;
  theme: string;
  style: string;
  fonts: string[];
  /** The service worker for offline use. Its address never changes. */
  offline: PublicDocument;
};

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  json: 'application/json; charset=utf-8',
};

/** Returns the bundled files. The first call bundles them. If bundling fails, the next call tries again. */
export const loadPageFiles: () => Promise<PageFiles> = loadOnce(bundleFiles);

/**
 * Bundles the browser code in memory with esbuild. This takes a fraction of a second, in a child process that ends
 * afterwards.
 */
async function bundleFiles(): Promise<PageFiles> {
  const { build, stop } = await import('esbuild');
  // The timer keeps this process running until the bundle is done. The child process would not.
  const keepAlive = setInterval(() => undefined, 1_000);
  const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  try {
    const options: BuildOptions & { write: false } = {
      outdir: pathOf('files'),
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
    const outputs = await Promise.all([
      build({
        ...options,
        entryPoints: { main: pathOf('browser/main.ts'), style: pathOf('style/main.css') },
        splitting: true,
        format: 'esm',
      }),
      // The theme script must run before the browser draws the page. A module would run too late.
      build({ ...options, entryPoints: { theme: pathOf('browser/theme.ts') }, format: 'iife' }),
    ]);
    const byName = new Map(outputs.flatMap(({ outputFiles }) => outputFiles).map(toFile));
    const addresses = [...byName.keys()].map((name) => `${FILES_PATH}${name}`);
    const addressMatching = (pattern: RegExp) =>
      addresses.find((address) => pattern.test(address)) ?? '';
    const script = addressMatching(/\/main-\w+\.js$/);
    const { outputFiles } = await build({
      ...options,
      entryPoints: { offline: pathOf('browser/offline-worker.ts') },
      format: 'iife',
      define: {
        RELEASE: JSON.stringify(/main-(\w+)\.js$/.exec(script)?.[1]),
        FILES: JSON.stringify(addresses),
      },
    });
    return {
      byName,
      script,
      theme: addressMatching(/\/theme-\w+\.js$/),
      style: addressMatching(/\.css$/),
      fonts: addresses.filter((address) => /\/b612-latin-\d+-normal-\w+\.woff2$/.test(address)),
      offline: toFile(outputFiles[0] as OutputFile)[1],
    };
  } finally {
    clearInterval(keepAlive);
    await stop();
  }
}

function toFile({ path, contents }: OutputFile): [name: string, document: PublicDocument] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return [name, publicDocument(type, Buffer.from(contents))];
}
