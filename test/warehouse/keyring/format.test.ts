import test from 'ava';
import fc from 'fast-check';
import {
  generateKey,
  hashKey,
  isWellFormedKey,
  prefixOf,
  type KeyKind,
} from '../../../warehouse/keyring/format.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('');

test('a key has its kind, 32 characters of base 62 and a correct checksum', (t) => {
  for (const kind of ['live', 'test'] as KeyKind[]) {
    for (let made = 0; made < 500; made += 1) {
      const key = generateKey(kind);
      t.regex(key, new RegExp(`^hw_${kind}_[0-9A-Za-z]{32}$`));
      t.true(isWellFormedKey(key));
    }
  }
});

test('a key with one changed character is not well formed', (t) => {
  const oneChange = fc.record({
    key: fc.constantFrom<KeyKind>('live', 'test').map(generateKey),
    at: fc.integer({ min: 8, max: 39 }),
    to: fc.constantFrom(...BASE62),
  });
  t.notThrows(() =>
    fc.assert(
      fc.property(oneChange, ({ key, at, to }) => {
        fc.pre(key[at] !== to);
        return !isWellFormedKey(key.slice(0, at) + to + key.slice(at + 1));
      }),
      { numRuns: 2000 },
    ),
  );
});

test('a test key with the prefix of a live key is not well formed', (t) => {
  t.false(isWellFormedKey(generateKey('test').replace('hw_test_', 'hw_live_')));
});

test('any other text is not well formed, and is never an error', (t) => {
  t.notThrows(() => fc.assert(fc.property(fc.string(), (text) => !isWellFormedKey(text))));
  t.false(isWellFormedKey(`${generateKey('live')}\n`));
});

test('the checksum algorithm never changes; otherwise all existing keys would be refused', (t) => {
  t.true(isWellFormedKey('hw_test_000000000000000000000000000Aj27K'));
});

test('the random part uses all 62 characters about equally', (t) => {
  const counts = new Map(BASE62.map((character) => [character, 0]));
  const rounds = 2000;
  for (let made = 0; made < rounds; made += 1) {
    for (const character of generateKey('live').slice(8, 34)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  const expected = (rounds * 26) / 62;
  t.is(counts.size, 62);
  // Six standard deviations: a fair generator fails less than once in a million runs.
  const slack = 6 * Math.sqrt(expected);
  for (const count of counts.values()) {
    t.true(Math.abs(count - expected) < slack);
  }
});

test('the prefix is the first 14 characters', (t) => {
  t.is(prefixOf('hw_live_ABCDEFGHIJ'), 'hw_live_ABCDEF');
});

test('the stored form is the SHA-256 of the key in hex', (t) => {
  t.is(hashKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
