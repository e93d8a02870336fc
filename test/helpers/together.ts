import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What has a process of its own, as it takes five seconds of CPU or waits for that long; in the order they are begun:
 * those that compute and those that wait for processes in turn.
 */
const LONGEST = [
  'seed/build',
  'queue/nightly.redis',
  'chaos.redis',
  'backtest',
  'kill-ingest.redis',
  'two-workers.redis',
  'explorer/browser',
  'explorer/interface',
  'commands/run.redis',
  'fuzz.redis',
  'first-light',
  'train-in-child.redis',
  'as-of',
  'workers.redis',
  'real-files',
  'queue/worker.redis',
  'backtest-box',
  'secrets.redis',
  'cli/backfill.redis',
  'look-for-months.redis',
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
  'undo.redis',
  'danger.redis',
  'before.redis',
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
];

const FOLDER = 'test/.together';
/** Of a process: more would leave a core idle at the end of a run. */
const MOST_FILES = 12;

/**
 * Most files' tests take less time than the start of their process, so in a run of all of them the files of a room share
 * some. Writes a file for each such process under `root` and returns what AVA is to start.
 */
export async function writeTogether(root: string): Promise<string[]> {
  await removeTogether(root);
  await mkdir(join(root, FOLDER));
  const found = await readdir(join(root, 'test'), { recursive: true });
  const files = found.filter((file) => file.endsWith('.test.ts')).toSorted();
  const groups = groupsOf(files.filter((file) => !isAlone(file)));
  for (const [name, members] of groups) {
    await writeFile(join(root, FOLDER, `${name}.test.ts`), groupFile(members));
  }
  return [
    ...[...groups.keys()].map((name) => `${FOLDER}/${name}.test.ts`),
    ...files.filter(isAlone).map((file) => `test/${file}`),
  ];
}

function groupFile(members: string[]): string {
  const list = JSON.stringify(members, undefined, 2);
  return `import { declareTests } from '../helpers/one-by-one.ts';\nawait declareTests(${list});\n`;
}

export async function removeTogether(root: string): Promise<void> {
  await rm(join(root, FOLDER), { recursive: true, force: true });
}

/** The files of a room, in groups of like size with neighbours in one; a name for each. */
export function groupsOf(files: string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [room, members] of Map.groupBy(files, roomOf)) {
    const size = Math.ceil(members.length / Math.ceil(members.length / MOST_FILES));
    for (let from = 0; from < members.length; from += size) {
      groups.set(`${room}-${groups.size + 1}`, members.slice(from, from + size));
    }
  }
  return groups;
}

function roomOf(file: string): string {
  return file.split('/')[0]?.replace('.test.ts', '') ?? '';
}

function isAlone(file: string): boolean {
  return rank(`/${file}`) < LONGEST.length;
}

/** The place of a file in the order in which they are begun: the longest first, so that no core is idle at the end. */
export function rank(file: string): number {
  const at = LONGEST.findIndex((name) => file.endsWith(`/${name}.test.ts`));
  return at === -1 ? LONGEST.length : at;
}
