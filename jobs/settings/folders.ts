import { resolve } from 'node:path';
import { z } from 'zod';

export type FolderConfig = Readonly<{
  /** Absolute path of the folder whose files are ingested; absent: no folder is watched. */
  inbox: string | undefined;
}>;

/** The environment variables of the operator's own folders. */
export const FOLDER_SETTINGS = { INBOX: z.string().optional() };

/** Returns the folders' part of the configuration. */
export function foldersOf(settings: { INBOX?: string | undefined }, cwd: string): FolderConfig {
  const absolute = (folder: string | undefined) =>
    folder === undefined ? undefined : resolve(cwd, folder);
  return { inbox: absolute(settings.INBOX) };
}
