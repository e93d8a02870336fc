import { folderObjects } from './folder.ts';
import type { Objects } from './objects.ts';
import { s3Objects } from './s3.ts';

/** Where objects are kept, as settings say it. */
export type ObjectsConfig =
  | { kind: 'folder'; folder: string }
  | {
      kind: 's3';
      bucket: string;
      prefix: string;
      endpoint: string;
      region: string;
      accessKeyId: string;
      secretAccessKey: string;
      sessionToken?: string | undefined;
    };

export function openObjects(config: ObjectsConfig): Objects {
  return config.kind === 'folder' ? folderObjects(config.folder) : s3Objects(config);
}
