import test from 'ava';
import {
  ArchiveDamagedError,
  formatArchive,
  parseArchive,
} from '../../../warehouse/keyring/archive.ts';
import { mergeKeys, type ArchivedKey } from '../../../warehouse/keyring/archived-keys.ts';

function anArchivedKey(
  changes: Partial<ArchivedKey> = {},
  fields: Partial<ArchivedKey['fields']> = {},
): ArchivedKey {
  return {
    hash: 'a'.repeat(64),
    fields: {
      prefix: 'hw_live_abcdef',
      name: 'A shop',
      monthly_limit: '40',
      active: '1',
      admin: '0',
      created_at: '2026-01-15T09:30:00.000Z',
      changed_at: '2026-01-15T09:30:00.000Z',
      ...fields,
    },
    totalRequests: 9,
    usage: { '2026-03': 9 },
    history: {},
    ...changes,
  };
}

test('an archive is read as written, and refused if a single bit differs', (t) => {
  const archive = {
    archivedAt: '2026-03-10T14:00:00.000Z',
    keys: [anArchivedKey(), anArchivedKey()],
  };
  const text = formatArchive(archive);
  t.deepEqual(parseArchive(text), archive);
  const bytes = Buffer.from(text);
  for (const place of [0, 5, 200, bytes.length - 3]) {
    const damaged = Buffer.from(bytes);
    damaged[place]! ^= 4;
    t.throws(() => parseArchive(damaged.toString()), { instanceOf: ArchiveDamagedError });
  }
  for (const truncated of ['', text.slice(0, -20), text.slice(0, text.indexOf('\n') + 1)]) {
    t.throws(() => parseArchive(truncated), { instanceOf: ArchiveDamagedError });
  }
});

test('an empty Redis removes nothing from the archive', (t) => {
  t.deepEqual(mergeKeys([anArchivedKey()], []), [anArchivedKey()]);
  t.deepEqual(mergeKeys([], [anArchivedKey()]), [anArchivedKey()]);
});

test('of an archived and a current count, the higher one stays', (t) => {
  const archived = anArchivedKey({ totalRequests: 9, usage: { '2026-02': 4, '2026-03': 9 } });
  const current = anArchivedKey({ totalRequests: 12, usage: { '2026-03': 5, '2026-04': 7 } });
  t.deepEqual(mergeKeys([archived], [current]), [
    anArchivedKey({ totalRequests: 12, usage: { '2026-02': 4, '2026-03': 9, '2026-04': 7 } }),
  ]);
});

test('the newer state of a key stays: an old copy does not reactivate a revoked key', (t) => {
  const revoked = { active: '0', changed_at: '2026-02-01T00:00:00.000Z' };
  const revokedKey = anArchivedKey({}, revoked);
  t.deepEqual(mergeKeys([revokedKey], [anArchivedKey()]), [revokedKey]);
  t.deepEqual(mergeKeys([anArchivedKey()], [revokedKey]), [revokedKey]);
});

test('a month in the history has no count, and its first row stays', (t) => {
  const archived = anArchivedKey({ usage: {}, history: { '2026-03': '[9,40,"first"]' } });
  const current = anArchivedKey({ usage: { '2026-03': 9 }, history: {} });
  t.deepEqual(mergeKeys([archived], [current]), [archived]);
  const later = anArchivedKey({ usage: {}, history: { '2026-03': '[1,40,"later"]' } });
  t.deepEqual(mergeKeys([archived], [later]), [archived]);
});
