import { liveArchiveDir, readStates } from '../../../warehouse/live/live-archive.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { currentOnDisk, readVersion, versionsOnDisk } from '../../../warehouse/store/disk.ts';
import { openVerifiedStore } from '../../../warehouse/store/model.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';
import type { CommandContext } from '../context.ts';
import { moment } from '../../../warehouse/ground/duration.ts';
import { count, size, table } from '../tables.ts';

/**
 * A stored version of the score store. The last three fields describe the live data that are archived for answers from
 * this version.
 */
type StoredVersion = {
  version: string;
  isCurrent: boolean;
  /** Why the version cannot be used; null if it is intact. */
  problem: string | null;
  bytes: number;
  months: number;
  model: string | null;
  /** `usedFrom` and `usedUntil` are the times (ISO) of the first and the last answer with archived live data. */
  usedFrom: string | null;
  usedUntil: string | null;
  /** Number of archived states of the live data. */
  liveStates: number;
};

/** Lists and verifies the stored versions, newest first. Returns 1 if one is damaged. */
export async function listStores(
  { config, out }: CommandContext,
  isJson: boolean,
): Promise<number> {
  const stores = await readStores(config.dataDir);
  const isDamaged = stores.some(({ problem }) => problem !== null);
  if (isJson) {
    out.write(`${JSON.stringify(stores, null, 2)}\n`);
    return isDamaged ? 1 : 0;
  }
  const rows = stores.map((store) => [
    store.version,
    store.problem ?? (store.isCurrent ? 'current' : 'intact'),
    size(store.bytes),
    count(store.months),
    store.usedFrom === null ? 'never' : moment(store.usedFrom),
    count(store.liveStates),
  ]);
  const head = ['version', 'state', 'size', 'months', 'in use from', 'live data'];
  out.write(rows.length === 0 ? 'There is no store yet.\n' : `${table(head, rows)}\n`);
  const { newest, days, weeks } = config.retention;
  out.write(
    `Versions that are kept: the newest ${newest}; the last version of each day, for ${days} days; the last version of each week, for ${weeks} weeks. ` +
      'KEEP_NEWEST, KEEP_DAILY and KEEP_WEEKLY change these numbers.\n',
  );
  return isDamaged ? 1 : 0;
}

async function readStores(dataDir: string): Promise<StoredVersion[]> {
  const { storeDir } = dataPaths(dataDir);
  const [versions, current, states] = [
    await versionsOnDisk(storeDir),
    await currentOnDisk(storeDir),
    await readStates(liveArchiveDir(dataDir)),
  ];
  const stores: StoredVersion[] = [];
  for (const version of versions.toReversed()) {
    const own = states.filter(({ store }) => store === version);
    const usedFrom = own[0]?.at ?? null;
    const usedUntil = own.at(-1)?.at ?? null;
    const liveStates = new Set(own.map(({ id }) => id)).size;
    const isCurrent = version === current;
    stores.push({
      ...{ version, isCurrent, usedFrom, usedUntil, liveStates },
      ...(await inspectVersion(storeDir, version)),
    });
  }
  return stores;
}

async function inspectVersion(storeDir: string, version: string) {
  try {
    const files = await readVersion(storeDir, version);
    openVerifiedStore(files);
    const { months, model } = files.manifest;
    const bytes = sum([...files.files.values()].map((file) => file.length));
    return { problem: null, bytes, months: months.length, model: model?.version ?? null };
  } catch (error) {
    const problem = `damaged: ${error instanceof Error ? error.message : String(error)}`;
    return { problem, bytes: 0, months: 0, model: null };
  }
}
