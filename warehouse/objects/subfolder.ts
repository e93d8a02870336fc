import type { Objects } from './objects.ts';

/** Returns a subfolder of a storage as a storage of its own. */
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
