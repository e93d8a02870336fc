import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Files that run in a separate process, because they compute or wait for five seconds or more, or because they replace
 * a function that other tests use. The files start in this order. The list alternates between files that compute and
 * files that wait for processes.
 */
const LONG_FILES = [
  'seed/build',
  'queue/nightly.redis',
  'chaos.redis',
  'backtest',
  'kill-ingest.redis',
  'two-workers.redis',
  'cli/upgrade.redis',
  'cli/former-releases.redis',
  'explorer/browser',
  'explorer/interface',
  'commands/run.redis',
  'fuzz.redis',
  'first-light',
  'train-in-child.redis',
  'as-of',
  'replay-months',
  'score-forecasts',
  'workers.redis',
  'real-files',
  'queue/worker.redis',
  'backtest-box',
  'secrets.redis',
  'cli/backfill.redis',
  'search-months.redis',
  'watch-day.redis',
  'full-disk.redis',
  'cli/news.redis',
  'chaos-quota.redis',
  'commands/model.redis',
  'sql.redis',
  'keys-of-processes.redis',
  'backup.redis',
  'server/run.redis',
  'status.redis',
  'ingest.redis',
  'record/record.redis',
  'undo.redis',
  'danger.redis',
  'live-bad-data.redis',
  'backfill-weather.redis',
  'hot-swap.redis',
  'steps.redis',
  'backfill-jobs.redis',
  'store-watch-models.redis',
  'store-watch.redis',
  'schedules.redis',
  'follow.redis',
  'failover.redis',
  'deploy/units',
  'explorer/share-cache',
];

const FOLDER = 'test/.together';
/** Maximum number of files in a shared process. With more files, one core would be idle at the end of a run. */
const FILES_MAX = 12;

/**
 * Groups test files, because most files take less time than the start of a process. Writes a file for each shared
 * process under `root`, and returns the files that AVA starts.
 */
export async function writeGroups(root: string): Promise<string[]> {
  await removeGroups(root);
  await mkdir(join(root, FOLDER));
  const entries = await readdir(join(root, 'test'), { recursive: true });
  const files = entries.filter((file) => file.endsWith('.test.ts')).toSorted();
  const groups = groupFiles(files.filter((file) => !hasOwnProcess(file)));
  for (const [name, members] of groups) {
    await writeFile(join(root, FOLDER, `${name}.test.ts`), groupFile(members));
  }
  return [
    ...[...groups.keys()].map((name) => `${FOLDER}/${name}.test.ts`),
    ...files.filter(hasOwnProcess).map((file) => `test/${file}`),
  ];
}

function groupFile(members: string[]): string {
  const list = JSON.stringify(members, undefined, 2);
  return `import { declareTests } from '../helpers/declare-tests.ts';\nawait declareTests(${list});\n`;
}

export async function removeGroups(root: string): Promise<void> {
  await rm(join(root, FOLDER), { recursive: true, force: true });
}

/** Groups neighbouring files of each room into groups of similar size. Returns the groups by name. */
export function groupFiles(files: string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [room, members] of Map.groupBy(files, roomOf)) {
    const size = Math.ceil(members.length / Math.ceil(members.length / FILES_MAX));
    for (let from = 0; from < members.length; from += size) {
      groups.set(`${room}-${groups.size + 1}`, members.slice(from, from + size));
    }
  }
  return groups;
}

function roomOf(file: string): string {
  return file.split('/')[0]?.replace('.test.ts', '') ?? '';
}

function hasOwnProcess(file: string): boolean {
  return startOrder(`/${file}`) < LONG_FILES.length;
}

/**
 * Returns the place of a file in the order of starts. The longest files start first, so that no core is idle at the
 * end.
 */
export function startOrder(file: string): number {
  const at = LONG_FILES.findIndex((name) => file.endsWith(`/${name}.test.ts`));
  return at === -1 ? LONG_FILES.length : at;
}
