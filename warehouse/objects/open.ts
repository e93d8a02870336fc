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

/** Returns a storage that contains only a subfolder of another storage. */
export function subfolderObjects(objects: Objects, folder: string): Objects {
  const namePrefix = `${folder}/`;
  return {
    place: `${objects.place}/${folder}`,
    list: async (prefix) =>
      (await objects.list(namePrefix + prefix)).map((object) => ({
        ...object,
        name: object.name.slice(namePrefix.length),
      })),
    read: (name) => objects.read(namePrefix + name),
    get: (name, file, expected) => objects.get(namePrefix + name, file, expected),
    put: (name, content) => objects.put(namePrefix + name, content),
    remove: (name) => objects.remove(namePrefix + name),
    check: () => objects.check(),
  };
}
