import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Every room, from the ground up: a file imports from its own room and from those before it, types included.
 * A place is a folder or a file; the longest that fits a path decides. `docs/architecture.md` gives each its rule.
 */
export const ROOMS: readonly (readonly string[])[] = [
  ['package.json', 'models/weather-risk.json'],
  ['warehouse/ground'],
  ['warehouse'],
  ['warehouse/objects'],
  ['warehouse/store', 'warehouse/keyring'],
  ['warehouse/lake', 'warehouse/live', 'warehouse/reference'],
  ['warehouse/build', 'warehouse/seed'],
  ['models'],
  ['pipelines'],
  ['warehouse/extract'],
  // Settings, which the root reads.
  ['jobs/queue/schedule-times.ts'],
  ['api', 'jobs'],
  ['api/schemas', 'api/metrics', 'jobs/processes'],
  ['api/scoring', 'jobs/watch', 'jobs/wiring'],
  ['api/live', 'api/openapi', 'jobs/queue'],
  ['api/deps.ts'],
  ['api/presenters'],
  ['api/middleware'],
  ['api/routes', 'api/ops', 'api/explorer/views'],
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

/** The imports between files of the project, those of types and those made while running included. */
export async function importsOf(root: string, files: readonly string[]): Promise<Import[]> {
  const found = await Promise.all(
    files.map(async (from) => {
      const text = await readFile(path.join(root, from), 'utf8');
      return [...text.matchAll(IMPORT)].map(([, stated, dynamic = '']) => ({
        from,
        to: path.posix.join(path.posix.dirname(from), stated ?? dynamic),
      }));
    }),
  );
  return found.flat();
}

/** The imports that run up, or sideways into a room of the same height, as `from → to`. */
export function upward(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => {
      const [own, other] = [roomOf(from), roomOf(to)];
      return own.place !== other.place && other.height >= own.height;
    })
    .map(({ from, to }) => `${from} → ${to}`);
}

function roomOf(file: string): { place: string; height: number } {
  const fitting = ROOMS.flatMap((places, height) =>
    places
      .filter((place) => file === place || file.startsWith(`${place}/`))
      .map((place) => ({ place, height })),
  );
  const [room] = fitting.toSorted((a, b) => b.place.length - a.place.length);
  if (!room) throw new Error(`${file} is in no room: give it one in test/tooling/rooms.ts`);
  return room;
}
