import type { ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { extractFile } from '../../../../../pipelines/flights/ingest.ts';
import { createExtractDeps } from '../../../../../warehouse/extract/extract.ts';
import { isIntact, readManifest } from '../../../../../warehouse/lake/lake.ts';
import {
  restoreVersion,
  currentManifest,
  removeMonth,
} from '../../../../../warehouse/lake/place-month.ts';
import { createPointers, type Pointers } from '../../../../../warehouse/lake/shared/pointers.ts';
import {
  replaceLake,
  sharedLake,
  type SharedLakeOptions,
} from '../../../../../warehouse/lake/shared/shared-lake.ts';
import { unitOf } from '../../../../../warehouse/lake/shared/units.ts';
import { listVersions } from '../../../../../warehouse/lake/versions.ts';
import { folderObjects } from '../../../../../warehouse/objects/folder.ts';
import { s3Objects } from '../../../../../warehouse/objects/s3.ts';
import { aFile, aFlight, aFolder, toCsv } from '../../../../helpers/flight-files.ts';
import { borrowRedis } from '../../../../helpers/redis.ts';
import { S3_KEY, s3Server, type S3Server } from '../../../../helpers/s3-server.ts';

export const JULY = { month: '2018-07', tree: 'flights' } as const;
export const UNIT = unitOf(JULY);
export const DAY_MS = 24 * 60 * 60_000;

/** A bucket and a Redis that machines share. */
export async function aWorld(t: ExecutionContext) {
  const server = await s3Server(t);
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  return { server, redis };
}

/** A machine with its own folder; `pointers` can wrap the pointers of the lake. */
export async function aHost(
  t: ExecutionContext,
  { server, redis }: { server: S3Server; redis: Redis },
  overrides: {
    lakeDir?: string;
    mounted?: string;
    pointers?: (real: Pointers) => Pointers;
    keepVersions?: number;
  } = {},
) {
  const { lakeDir = await aFolder(t), mounted, pointers = (real) => real } = overrides;
  const { keepVersions = 3 } = overrides;
  const place = { bucket: 'lake', prefix: '', endpoint: server.url, region: 'r', retryMs: 1 };
  const objects = mounted ? folderObjects(mounted) : s3Objects({ ...place, ...S3_KEY });
  const real = createPointers(redis, objects, 0);
  const clock = { now: Date.now() };
  const now = () => new Date((clock.now += 1000));
  const sharing: SharedLakeOptions = {
    ...{ lakeDir, objects, now, pointers: pointers(real) },
    lock: (_unit, work) => work(),
  };
  const lake = sharedLake(sharing);
  const options = { lakeDir, keepVersions, now };
  const deps = createExtractDeps({
    ...{ ...options, codeVersion: 'test' },
    withMonthLock: (ref, work) => lake.withUnitLock(unitOf(ref), work),
    fetch: (refs) => lake.fetch(refs.map(unitOf)),
  });
  return {
    ...{ lake, lakeDir, pointers: real, clock },
    replace: () => replaceLake(sharing),
    load: async (dest: string, month: string = JULY.month) => {
      const flight = aFlight({ DEST: dest, FL_DATE: `${month}-03` });
      const file = await aFile(t, toCsv([flight]), `${dest}.csv`);
      await lake.refresh();
      return extractFile({ path: file, force: true }, deps, () => undefined);
    },
    source: async (month: string = JULY.month) => (await readManifest(lakeDir, month))?.source.name,
    isWhole: async () => isIntact(lakeDir, (await readManifest(lakeDir, '2018-07'))!),
    versions: async () => listVersions(lakeDir, JULY, await currentManifest(lakeDir, JULY)),
    restore: async (id: string) => {
      await lake.fetchVersions(JULY);
      await lake.withUnitLock(UNIT, () => restoreVersion(JULY, id, options));
    },
    drop: () => lake.withUnitLock(UNIT, () => removeMonth(JULY, options)),
  };
}
