import { folderObjects } from './folder.ts';
import type { Objects } from './objects.ts';
import { s3Objects, type S3Options } from './s3.ts';

/** The storage that the settings name. */
export type ObjectsConfig =
  | { kind: 'folder'; folder: string }
  | ({ kind: 's3' } & Omit<S3Options, 'retryMs' | 'deadlineMs'>);

export function openObjects(config: ObjectsConfig): Objects {
  return config.kind === 'folder' ? folderObjects(config.folder) : s3Objects(config);
}
