import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { readVersion, versionsOnDisk, WITHDRAWN_FILE } from './disk.ts';
import { hashContent } from './manifest.ts';
import type { StoreManifest } from './store-manifest.ts';
import { writeAtomically } from '../ground/temporary.ts';

/** The content of this store was withdrawn by a roll-back, so a publish does not make it current again. */
export class ContentWithdrawnError extends Error {
  readonly isFinal = true;
  override readonly name = 'ContentWithdrawnError';
  readonly version: string;

  constructor(version: string) {
    super(
      `not published: the content equals ${version}, which a rollback withdrew; to publish it again, run make rollback VERSION=${version}`,
    );
    this.version = version;
  }
}

/** Places of the store: the disk of this machine, and Redis, which all machines share. */
export type StorePlaces = { storeDir: string; redis: Redis };

const WITHDRAWN_KEY = 'hw:store:withdrawn';

/** Hashes of withdrawn content, by version. An empty hash means that the version is no longer withdrawn. */
type Withdrawn = Record<string, string>;

/** Marks the content of a version as withdrawn. Does nothing if the version is missing or damaged. */
export async function withdrawVersion(
  { storeDir, redis }: StorePlaces,
  version: string,
): Promise<void> {
  if (!(await versionsOnDisk(storeDir)).includes(version)) return;
  // The content of a damaged version is unknown, so it cannot be marked.
  const store = await readVersion(storeDir, version).catch(() => undefined);
  if (!store) return;
  const content = hashContent(store.manifest);
  await writeWithdrawn(storeDir, { ...(await readWithdrawn(storeDir)), [version]: content });
  await redis.hset(WITHDRAWN_KEY, version, content);
}

/** Removes the withdrawn mark of a version. */
export async function reinstateVersion(
  { storeDir, redis }: StorePlaces,
  version: string,
): Promise<void> {
  // An empty mark in Redis overrides the marks on the disks of other machines.
  await redis.hset(WITHDRAWN_KEY, version, '');
  const { [version]: content, ...withdrawn } = await readWithdrawn(storeDir);
  if (content !== undefined) await writeWithdrawn(storeDir, withdrawn);
}

/** Returns the withdrawn version with this content; undefined if the content is not withdrawn. */
export async function findWithdrawn(
  { storeDir, redis }: StorePlaces,
  manifest: StoreManifest,
): Promise<string | undefined> {
  const content = hashContent(manifest);
  const entries = Object.entries({
    ...(await readWithdrawn(storeDir)),
    ...(await redis.hgetall(WITHDRAWN_KEY)),
  });
  return entries.find(([, withdrawn]) => withdrawn === content)?.[0];
}

/** Whether this version is current because operators rolled back from a later version. */
export async function isRollbackTarget(
  version: string,
  redis: Pick<Redis, 'hgetall'>,
): Promise<boolean> {
  const withdrawn = Object.entries(await redis.hgetall(WITHDRAWN_KEY));
  // The name of a version starts with its build time.
  return withdrawn.some(([later, content]) => content !== '' && later > version);
}

async function readWithdrawn(storeDir: string): Promise<Withdrawn> {
  const text = await readFile(path.join(storeDir, WITHDRAWN_FILE), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Withdrawn;
}

async function writeWithdrawn(storeDir: string, withdrawn: Withdrawn): Promise<void> {
  const text = `${JSON.stringify(withdrawn, null, 1)}\n`;
  await writeAtomically(path.join(storeDir, WITHDRAWN_FILE), (temporary) =>
    writeFile(temporary, text),
  );
}
