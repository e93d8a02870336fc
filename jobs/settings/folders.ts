import { resolve } from 'node:path';
import { z } from 'zod';

export type FolderConfig = Readonly<{
  /** Absolute path of the folder from which files are ingested. If absent, no folder is watched. */
  inbox: string | undefined;
  /** Absolute path of the folder with the user's SQL models and checks; absent if there is none. */
  userSqlDir: string | undefined;
}>;

type FolderSettings = { INBOX?: string | undefined; MODELS_DIR?: string | undefined };

/** The environment variables of the operator's own folders. */
export const FOLDER_SETTINGS = { INBOX: z.string().optional(), MODELS_DIR: z.string().optional() };

/** Returns the folders' part of the configuration. */
export function foldersOf({ INBOX, MODELS_DIR }: FolderSettings, cwd: string): FolderConfig {
  const absolute = (folder: string | undefined) =>
    folder === undefined ? undefined : resolve(cwd, folder);
  return { inbox: absolute(INBOX), userSqlDir: absolute(MODELS_DIR) };
}
