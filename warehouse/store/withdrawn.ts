import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { intoPlace } from '../ground/into-place.ts';
import { readVersion, versionsOnDisk, WITHDRAWN_FILE } from './disk.ts';
import { contentOf } from './manifest.ts';
import type { StoreManifest } from './types.ts';

/** The content of this store was rolled back from, so it is not published again. */
export class ContentWithdrawnError extends Error {
  readonly isFinal = true;
  readonly version: string;

  constructor(version: string) {
    super(
      `not published: the content is that of ${version}, which was rolled back from; make rollback VERSION=${version} brings it back`,
    );
    this.name = 'ContentWithdrawnError';
    this.version = version;
  }
}

/** Where the store is: on the disk of this machine, and in Redis, which all machines have. */
export type StorePlaces = { storeDir: string; redis: Redis };

const WITHDRAWN_KEY = 'hw:store:withdrawn';

/** Content that was rolled back from, by the version that brought it. */
type Withdrawn = Record<string, string>;

/** Marks the content of a version as withdrawn, as far as the version is still there to tell it. */
export async function withdrawVersion(
  { storeDir, redis }: StorePlaces,
  version: string,
): Promise<void> {
  if (!(await versionsOnDisk(storeDir)).includes(version)) return;
  // A damaged version has no content that could be published again.
  const store = await readVersion(storeDir, version).catch(() => undefined);
  if (!store) return;
  const content = contentOf(store.manifest);
  await writeWithdrawn(storeDir, { ...(await readWithdrawn(storeDir)), [version]: content });
  await redis.hset(WITHDRAWN_KEY, version, content);
}

/** A version that is gone to by name is wanted again. */
export async function forgiveVersion(
  { storeDir, redis }: StorePlaces,
  version: string,
): Promise<void> {
  // Said, as the disk of another machine may have it still.
  await redis.hset(WITHDRAWN_KEY, version, '');
  const { [version]: forgiven, ...withdrawn } = await readWithdrawn(storeDir);
  if (forgiven !== undefined) await writeWithdrawn(storeDir, withdrawn);
}

/** The version that brought this content and was rolled back from; undefined for content that is welcome. */
export async function withdrawnAs(
  { storeDir, redis }: StorePlaces,
  manifest: StoreManifest,
): Promise<string | undefined> {
  const content = contentOf(manifest);
  const entries = Object.entries({
    ...(await readWithdrawn(storeDir)),
    ...(await redis.hgetall(WITHDRAWN_KEY)),
  });
  return entries.find(([, withdrawn]) => withdrawn === content)?.[0];
}

/** Whether that version is served because a later one was rolled back from. */
export async function isRolledBackTo(
  version: string,
  redis: Pick<Redis, 'hgetall'>,
): Promise<boolean> {
  const withdrawn = Object.entries(await redis.hgetall(WITHDRAWN_KEY));
  // Names of versions begin with when they were built.
  return withdrawn.some(([later, content]) => content !== '' && later > version);
}

async function readWithdrawn(storeDir: string): Promise<Withdrawn> {
  const text = await readFile(path.join(storeDir, WITHDRAWN_FILE), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Withdrawn;
}

async function writeWithdrawn(storeDir: string, withdrawn: Withdrawn): Promise<void> {
  const text = `${JSON.stringify(withdrawn, null, 1)}\n`;
  await intoPlace(path.join(storeDir, WITHDRAWN_FILE), (temporary) => writeFile(temporary, text));
}
