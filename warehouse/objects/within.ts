import type { Objects } from './objects.ts';

/** The objects of a place whose names begin with that folder, as a place of their own. */
export function within(objects: Objects, folder: string): Objects {
  const below = `${folder}/`;
  return {
    place: `${objects.place}/${folder}`,
    list: async (prefix) =>
      (await objects.list(below + prefix)).map((object) => ({
        ...object,
        name: object.name.slice(below.length),
      })),
    read: (name) => objects.read(below + name),
    get: (name, file, expected) => objects.get(below + name, file, expected),
    put: (name, content) => objects.put(below + name, content),
    remove: (name) => objects.remove(below + name),
    check: () => objects.check(),
  };
}
