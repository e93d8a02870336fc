import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Every room, from the ground up. A file imports only from its own room and from earlier rooms. This includes imports
 * of types. A room is a folder or a file. A path belongs to the room with the longest match. `docs/architecture.md` has
 * the rule of each room.
 */
export const ROOMS: readonly (readonly string[])[] = [
  ['package.json', 'models/weather-risk.json'],
  ['warehouse/ground'],
  ['warehouse'],
  ['warehouse/objects'],
  ['warehouse/store', 'warehouse/keyring'],
  ['warehouse/lake', 'warehouse/live', 'warehouse/reference', 'warehouse/snapshots'],
  ['warehouse/build', 'warehouse/seed'],
  ['warehouse/extract'],
  ['models'],
  ['pipelines'],
  // Settings that the root of jobs/ reads.
  ['jobs/queue/schedule-times.ts'],
  ['api', 'jobs'],
  ['api/schemas', 'api/metrics', 'jobs/processes'],
  ['api/scoring', 'jobs/watch', 'jobs/wiring'],
  ['api/live', 'api/openapi', 'jobs/queue'],
  ['api/deps.ts'],
  ['api/presenters'],
  ['api/middleware'],
  ['api/routes', 'api/mcp', 'api/ops', 'api/explorer/views'],
  ['api/explorer/browser'],
  ['api/explorer'],
  ['api/app.ts', 'api/clients'],
  ['api/server'],
  ['jobs/cli'],
  ['jobs/main.ts'],
  ['bench'],
  ['test/helpers', 'test/fixtures'],
  ['test'],
];

export type Import = { from: string; to: string };

const IMPORT =
  /^(?:import|export)\b[^;'"`]*?\bfrom '(\.{1,2}\/[^']+)'|\bimport(?: |\()'(\.{1,2}\/[^']+)'/gm;

/** Returns the imports between files of the project, including type imports and dynamic imports. */
export async function listImports(root: string, files: readonly string[]): Promise<Import[]> {
  const imports = await Promise.all(
    files.map(async (from) => {
      const text = await readFile(path.join(root, from), 'utf8');
      return [...text.matchAll(IMPORT)].map(([, staticPath, dynamicPath = '']) => ({
        from,
        to: path.posix.join(path.posix.dirname(from), staticPath ?? dynamicPath),
      }));
    }),
  );
  return imports.flat();
}

/** Returns the imports that run up, or sideways into a room of the same height, as `from → to`. */
export function wrongImports(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => {
      const [own, other] = [roomOf(from), roomOf(to)];
      return own.place !== other.place && other.height >= own.height;
    })
    .map(({ from, to }) => `${from} → ${to}`);
}

function roomOf(file: string): { place: string; height: number } {
  const matching = ROOMS.flatMap((places, height) =>
    places
      .filter((place) => file === place || file.startsWith(`${place}/`))
      .map((place) => ({ place, height })),
  );
  const [room] = matching.toSorted((a, b) => b.place.length - a.place.length);
  if (!room) throw new Error(`${file} is in no room; add one to test/tooling/rooms.ts`);
  return room;
}
