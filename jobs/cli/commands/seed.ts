import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { JSON_TABLES } from '../../../pipelines/providers/index.ts';
import { buildSeed, type SeedDeps } from '../../../pipelines/seed/build.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { exportFlights, writeSeedFile, type SeedKind } from '../../../warehouse/seed/write.ts';
import type { MonthFiles } from '../../../warehouse/lake/lake.ts';
import { fileSha256 } from '../../../warehouse/ground/hashes.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { progressLine } from '../progress-line.ts';
import { count, countOf } from '../tables.ts';

export type SeedRequest = { sourceDir: string; seedDir: string; codeVersion: string };

/**
 * Computes the bundled history from its source files and prints counts. Only developers run this command. The command
 * uses no queue.
 */
export async function seed(
  { out, err }: Pick<CommandContext, 'out' | 'err'>,
  request: SeedRequest,
): Promise<number> {
  const line = progressLine('seed', err);
  try {
    const { taken, files } = await buildSeed(
      request.seedDir,
      seedDeps(request),
      (done, total, what) => line.show({ done, total, what }),
    );
    line.end();
    for (const { what, loaded, rejected } of taken) {
      out.write(`${what}: ${countOf(loaded, 'row')}, ${count(rejected)} rejected\n`);
    }
    for (const [file, { rows }] of Object.entries(files)) {
      const { size } = await stat(path.join(request.seedDir, file));
      out.write(`${file}: ${countOf(rows, 'row')}, ${count(size)} bytes\n`);
    }
    return 0;
  } finally {
    line.end();
  }
}

/**
 * For each kind of aggregate, the only file of a lake month that the aggregate needs. A kind that needs all files has
 * no entry.
 */
const ONLY_FILES: Partial<Record<SeedKind, keyof MonthFiles>> = {
  routeHours: 'routeHours',
  airportDays: 'airportDays',
  flightNumbers: 'flights',
};

function seedDeps({ sourceDir, codeVersion }: SeedRequest): SeedDeps {
  return {
    withTempDir: async (work) => {
      const dir = await mkdtemp(path.join(tmpdir(), 'headwind-seed-'));
      try {
        return await work(dir);
      } finally {
        await rm(dir, { recursive: true });
      }
    },
    findSource: (name) => findIn(sourceDir, name),
    extractInto: (lakeDir, kind, request) => {
      const onlyFile = ONLY_FILES[kind];
      const deps = createExtractDeps({
        lakeDir,
        codeVersion,
        jsonTables: JSON_TABLES,
        ...(onlyFile && { onlyFile }),
      });
      return extractFile(request, deps, () => undefined);
    },
    sourceRef: async (file) => ({
      name: path.basename(file),
      sha256: await fileSha256(file),
      bytes: (await stat(file)).size,
    }),
    takeFlights: exportFlights,
    writeSeedFile,
    writeJson: (file, content) => writeFile(file, `${JSON.stringify(content, null, 2)}\n`),
    codeVersion,
  };
}

/**
 * Returns the path of the file with this name in the folder or a subfolder. Throws `CommandError` if the file is
 * missing.
 */
async function findIn(folder: string, name: string): Promise<string> {
  const paths = await readdir(folder, { recursive: true });
  const match = paths.find((file) => path.basename(file) === name);
  if (match === undefined) throw new CommandError(`${folder} has no ${name}`);
  return path.join(folder, match);
}
