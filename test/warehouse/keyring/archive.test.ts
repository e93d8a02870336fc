import test from 'ava';
import {
  ArchiveDamagedError,
  archiveText,
  parseArchive,
} from '../../../warehouse/keyring/archive.ts';
import { mergeKeys, type KeptKey } from '../../../warehouse/keyring/archived-keys.ts';

function keptKey(changes: Partial<KeptKey> = {}, fields: Partial<KeptKey['fields']> = {}): KeptKey {
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

test('an archive is read back as it was written, and not when a single bit differs', (t) => {
  const archive = { archivedAt: '2026-03-10T14:00:00.000Z', keys: [keptKey(), keptKey()] };
  const text = archiveText(archive);
  t.deepEqual(parseArchive(text), archive);
  const bytes = Buffer.from(text);
  for (const place of [0, 5, 200, bytes.length - 3]) {
    const damaged = Buffer.from(bytes);
    damaged[place]! ^= 4;
    t.throws(() => parseArchive(damaged.toString()), { instanceOf: ArchiveDamagedError });
  }
  for (const cut of ['', text.slice(0, -20), text.slice(0, text.indexOf('\n') + 1)]) {
    t.throws(() => parseArchive(cut), { instanceOf: ArchiveDamagedError });
  }
});

test('a Redis that lost everything takes nothing from the archive', (t) => {
  t.deepEqual(mergeKeys([keptKey()], []), [keptKey()]);
  t.deepEqual(mergeKeys([], [keptKey()]), [keptKey()]);
});

test('of two counts the higher one stays, whoever has it', (t) => {
  const archived = keptKey({ totalRequests: 9, usage: { '2026-02': 4, '2026-03': 9 } });
  const current = keptKey({ totalRequests: 12, usage: { '2026-03': 5, '2026-04': 7 } });
  t.deepEqual(mergeKeys([archived], [current]), [
    keptKey({ totalRequests: 12, usage: { '2026-02': 4, '2026-03': 9, '2026-04': 7 } }),
  ]);
});

test('of two states the later one stays: an old copy does not bring a revoked key back', (t) => {
  const revoked = { active: '0', changed_at: '2026-02-01T00:00:00.000Z' };
  const revokedKey = keptKey({}, revoked);
  t.deepEqual(mergeKeys([revokedKey], [keptKey()]), [revokedKey]);
  t.deepEqual(mergeKeys([keptKey()], [revokedKey]), [revokedKey]);
});

test('a month in the history is no count any more, and its first row stays', (t) => {
  const archived = keptKey({ usage: {}, history: { '2026-03': '[9,40,"first"]' } });
  const current = keptKey({ usage: { '2026-03': 9 }, history: {} });
  t.deepEqual(mergeKeys([archived], [current]), [archived]);
  const later = keptKey({ usage: {}, history: { '2026-03': '[1,40,"later"]' } });
  t.deepEqual(mergeKeys([archived], [later]), [archived]);
});
