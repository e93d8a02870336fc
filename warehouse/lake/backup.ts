import type { Stats } from 'node:fs';
import { link, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, readIfThere, sweep, syncPath } from '../ground/files.ts';
import { sum } from '../ground/sum.ts';
import {
  BACKUP_PARTS,
  copyFile,
  MANIFEST,
  newestBackup,
  readBackup,
  type BackupFile,
  type BackupManifest,
  type BackupPart,
} from './backup-files.ts';
import { sealed } from './sealed.ts';
import { verifyFiles } from './verify.ts';
import { CHOICE_FILE } from '../ground/choice-file.ts';
import { filesBelow } from './files-below.ts';

export type BackupReport = {
  folder: string;
  files: number;
  bytes: number;
  copied: number;
  /** What was damaged in the lake already, and is so in the copy. */
  damaged: string[];
};

export type BackupRequest = {
  /** Where backups are, one folder each. */
  to: string;
  /** The folders of this data folder, by part. */
  from: Record<BackupPart, string>;
  codeVersion: string;
  now: Date;
};

type CopiedFile = BackupFile & { isCopied: boolean };

/** As a backup is named until it is whole. */
const PARTIAL = /^\.headwind-\d{8}T\d{9}Z\.partial$/;
/** One at work tells so by the time of its folder, however long it takes. */
const TOUCH_EVERY_MS = 60_000;
/** What a killed process left half-written is at least this old. */
const LEFTOVER_AFTER_MS = 60 * 60_000;
/** A month that is replaced while it is copied is copied again. */
const ROUNDS = 3;

/**
 * Copies lake, models and keys into a new folder under `to`, while the service runs. What is unchanged since the backup
 * before is linked to it and takes no room. Every month of the copy is then held against its manifest.
 */
export async function writeBackup({
  to,
  from,
  codeVersion,
  now,
}: BackupRequest): Promise<BackupReport> {
  const before = await newestBackup(to);
  const name = `headwind-${now.toISOString().replaceAll(/[-:.]/g, '')}`;
  const [folder, partial] = [path.join(to, name), path.join(to, `.${name}.partial`)];
  await mkdir(to, { recursive: true });
  await sweepPartial(to);
  const touching = setInterval(() => void touch(partial), TOUCH_EVERY_MS);
  try {
    return await writeWhole({ from, codeVersion, now }, { before, partial, folder });
  } finally {
    clearInterval(touching);
    // After it has its name there is nothing.
    await rm(partial, { recursive: true, force: true });
  }
}

async function writeWhole(
  { from, codeVersion, now }: Omit<BackupRequest, 'to'>,
  { before, partial, folder }: { before: string | undefined; partial: string; folder: string },
): Promise<BackupReport> {
  for (let round = 1; ; round += 1) {
    await rm(partial, { recursive: true, force: true });
    // A link to a damaged file would be as damaged.
    const known = round === 1 && before ? await linkable(before) : new Map<string, string>();
    const files = await copyAll(from, partial, known);
    const damaged = await damagedIn(partial);
    if (damaged.length > 0 && round < ROUNDS) continue;
    const kept = files.map(({ isCopied: _, ...file }) => file);
    const manifest: BackupManifest = { madeAt: now.toISOString(), codeVersion, files: kept };
    await writeFile(path.join(partial, MANIFEST), sealed(manifest));
    await syncPath(path.join(partial, MANIFEST));
    await rename(partial, folder);
    await syncPath(path.dirname(folder));
    const copied = sum(files.filter(({ isCopied }) => isCopied).map(({ bytes }) => bytes));
    const bytes = sum(files.map((file) => file.bytes));
    return { folder, files: files.length, bytes, copied, damaged };
  }
}

async function touch(folder: string): Promise<void> {
  const now = new Date();
  // Between two rounds it is not there.
  await utimes(folder, now, now).catch(() => undefined);
}

/** Removes what killed processes left. */
async function sweepPartial(to: string): Promise<void> {
  const keep = (await readdir(to)).filter((name) => !PARTIAL.test(name));
  await sweep(to, new Set(keep), new Date(Date.now() - LEFTOVER_AFTER_MS));
}

/** Files of an earlier backup by path, size and time of change, to be linked where they are the same. */
async function linkable(folder: string): Promise<Map<string, string>> {
  const manifest = await readBackup(folder).catch(() => undefined);
  return new Map(
    (manifest?.files ?? []).map((file) => [
      keyOf(file),
      `${file.sha256} ${path.join(folder, file.path)}`,
    ]),
  );
}

function keyOf(file: Pick<BackupFile, 'path' | 'bytes' | 'mtimeMs'>): string {
  return `${file.path} ${file.bytes} ${file.mtimeMs}`;
}

async function copyAll(
  from: Record<BackupPart, string>,
  to: string,
  known: Map<string, string>,
): Promise<CopiedFile[]> {
  const files: CopiedFile[] = [];
  for (const part of BACKUP_PARTS) files.push(...(await copyPart(part, from[part], to, known)));
  return files;
}

/** Copies a part again when its pointer moved meanwhile: what it names then may not have been listed. */
async function copyPart(
  part: BackupPart,
  from: string,
  to: string,
  known: Map<string, string>,
): Promise<CopiedFile[]> {
  for (;;) {
    const before = await readIfThere(path.join(from, CHOICE_FILE));
    const files = await copyListed(part, from, to, known);
    const after = await readIfThere(path.join(from, CHOICE_FILE));
    if (before?.toString() === after?.toString()) return files;
    await rm(path.join(to, part), { recursive: true });
  }
}

async function copyListed(
  part: BackupPart,
  from: string,
  to: string,
  known: Map<string, string>,
): Promise<CopiedFile[]> {
  const files: CopiedFile[] = [];
  await mkdir(path.join(to, part), { recursive: true });
  for (const name of await filesBelow(from)) {
    const source = path.join(from, name);
    const found = await stat(source).catch(() => undefined);
    // Replaced while we looked: what came in its place is copied, or the next round copies it.
    if (!found) continue;
    const file = path.posix.join(part, name);
    // The lake alone: its files are read again below, wherever they come from.
    const same = part === 'lake' ? known.get(keyOf(sized(file, found))) : undefined;
    const copy = await linkOrCopy(source, path.join(to, file), same);
    if (copy) files.push({ ...sized(file, found), ...copy });
  }
  return files;
}

/** Times are kept to the millisecond, which is what a copy can be given. */
function sized(file: string, { size, mtimeMs }: Stats): Omit<BackupFile, 'sha256'> {
  return { path: file, bytes: size, mtimeMs: Math.floor(mtimeMs) };
}

async function linkOrCopy(
  source: string,
  target: string,
  known: string | undefined,
): Promise<{ sha256: string; isCopied: boolean } | undefined> {
  await mkdir(path.dirname(target), { recursive: true });
  if (known !== undefined) {
    const [sha256, file] = [known.slice(0, 64), known.slice(65)];
    const isLinked = await link(file, target).then(
      () => true,
      () => false,
    );
    // A file system without links gets a copy.
    if (isLinked) return { sha256, isCopied: false };
  }
  try {
    return { sha256: await copyFile(source, target), isCopied: true };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function damagedIn(folder: string): Promise<string[]> {
  const nowhere = path.join(folder, 'nowhere');
  const places = { lakeDir: path.join(folder, 'lake'), storeDir: nowhere, downloadsDir: nowhere };
  return (await verifyFiles(places)).flatMap(({ what, damaged }) =>
    damaged.map((name) => `${what} ${name}`),
  );
}
