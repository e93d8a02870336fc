import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { INTERFACE_VERSION } from '../../api/openapi/document.ts';
import type { ShownDocument } from '../../api/openapi/rows.ts';
import { interfaceOf, readInterface, type InterfaceName } from '../fixtures/releases/interface.ts';
import { DOCUMENT, OPERATIONS, type Document } from './helpers/documented.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The interface of the newest release. */
const RELEASED = readInterface(read(`../fixtures/releases/${newestRelease()}`));

function newestRelease(): string {
  const files = readdirSync(new URL('../fixtures/releases', import.meta.url));
  const releases = files.filter((name) => name.endsWith('.interface.txt'));
  return releases.toSorted(new Intl.Collator('en', { numeric: true }).compare).at(-1) ?? '';
}

/** Entries of docs/api-changes.md for versions after the released version. */
const ENTRIES = (read('../../docs/api-changes.md').split(`\n## ${RELEASED.version}\n`)[0] ?? '')
  .split('\n- ')
  .slice(1);

const idOf = ({ owner, name }: Pick<InterfaceName, 'owner' | 'name'>) => `${owner} ${name}`;

/**
 * Returns the names that the release does not have. A new endpoint or field is listed without the names inside it. The
 * names of a new schema are not listed, because only a new endpoint or field can use the schema.
 */
function additions(document: Document): InterfaceName[] {
  const released = new Set(RELEASED.names.map(idOf));
  const owners = new Set(RELEASED.names.map(({ owner }) => owner));
  const added = interfaceOf(document as unknown as ShownDocument).filter(
    (one) => !released.has(idOf(one)) && (one.name === '' || owners.has(one.owner)),
  );
  const ids = new Set(added.map(idOf));
  const parentsOf = ({ owner, name }: InterfaceName): string[] => {
    const parts = name.split(/(?=\.)/);
    return [
      ...(name.startsWith('?') ? [`${owner} `] : []),
      ...parts.slice(1).map(
        (_, at) =>
          `${owner} ${parts
            .slice(0, at + 1)
            .join('')
            .replace(/(\[\])+$/, '')}`,
      ),
    ];
  };
  return added.filter((one) => parentsOf(one).every((parent) => !ids.has(parent)));
}

/** Returns the paths of the endpoints whose successful answers contain a schema, directly or in another schema. */
function pathsWith(schema: string, { components }: Document): string[] {
  const usesSchema = (value: unknown, seen: string[] = []): boolean =>
    [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].some(
      ([, name = '']) =>
        name === schema ||
        (!seen.includes(name) && usesSchema(components.schemas[name], [...seen, name])),
    );
  return OPERATIONS.filter(({ responses }) => usesSchema(responses['200'])).map(({ path }) => path);
}

/** Whether one entry contains both the name of the addition and an endpoint that uses this name. */
function isDescribed({ owner, name }: InterfaceName, document: Document): boolean {
  const paths = owner.includes(' ') ? [owner.split(' ')[1] ?? ''] : pathsWith(owner, document);
  const own = name.split(/[.?]/).at(-1);
  return ENTRIES.some(
    (entry) =>
      (own === '' || entry.includes(`\`${own}\``)) &&
      paths.some((path) => entry.includes(`\`${path}\``)),
  );
}

test('docs/api-changes.md names each endpoint, parameter and field that the newest release lacks', (t) => {
  const missing = additions(DOCUMENT).filter((one) => !isDescribed(one, DOCUMENT));
  t.deepEqual(missing.map(idOf), []);
  if (additions(DOCUMENT).length > 0) t.not(INTERFACE_VERSION, RELEASED.version);
});

test('every name of the newest release keeps its type, its unit, and whether it is required', (t) => {
  const types = new Map(
    interfaceOf(DOCUMENT as unknown as ShownDocument).map((one) => [idOf(one), one.type]),
  );
  const changed = RELEASED.names.filter((one) => {
    const type = types.get(idOf(one));
    return one.type !== type && one.type !== `${type}, optional`;
  });
  t.deepEqual(changed, []);
  t.true(RELEASED.names.length > 600);
});

test('a new field, parameter or endpoint without an entry is found, and only once', (t) => {
  const document = JSON.parse(JSON.stringify(DOCUMENT)) as Document;
  const { properties } = document.components.schemas['Score'] as {
    properties: Record<string, object>;
  };
  const part = { type: 'object', properties: { low: { type: 'number', description: 'Low.' } } };
  properties['colour'] = { type: 'array', items: part, description: 'Colours.' };
  const parameter = { name: 'colour', in: 'query', required: false, schema: { type: 'string' } };
  const { get } = document.paths['/api/score'] ?? {};
  get?.parameters.push({ ...parameter, description: 'A colour.', example: 'red' });
  document.paths['/api/colours'] = { get: { ...get!, responses: {} } };
  const missing = additions(document).filter((one) => !isDescribed(one, document));
  t.deepEqual(missing.map(idOf), ['GET /api/score ?colour', 'GET /api/colours ', 'Score .colour']);
  t.deepEqual(pathsWith('Component', document), ['/api/score', '/api/score/batch']);
});
