import test from 'ava';
import fc from 'fast-check';
import { codesToNumber } from '../../../warehouse/store/code-number.ts';
import { createNumberIndex } from '../../../warehouse/store/number-index.ts';

test('a number index has the same entries as a map', (t) => {
  const number = fc.oneof(
    fc.integer({ min: 1, max: 50 }),
    fc.integer({ min: 1, max: 5 * 10 ** 12 }),
  );
  fc.assert(
    // Covers more, fewer and exactly as many entries as expected.
    fc.property(
      fc.array(fc.tuple(number, fc.nat()), { maxLength: 200 }),
      fc.array(number),
      fc.integer({ min: 0, max: 100 }),
      (entries, keys, expected) => {
        const [index, map] = [createNumberIndex(expected), new Map(entries)];
        for (const [key, value] of entries) index.set(key, value);
        t.is(index.size(), map.size);
        for (const key of [...map.keys(), ...keys]) t.is(index.get(key), map.get(key) ?? -1);
      },
    ),
  );
});

test('codes that differ in airport, airline or length have different numbers', (t) => {
  const codes: [string, string, string?][] = [
    ['JFK', 'LAX'],
    ['LAX', 'JFK'],
    ['JFK', 'LAX', 'AA'],
    ['JFK', 'LAX', 'A9'],
    ['JFK', 'LAX', '0A'],
    ['JFK', '', 'AA'],
    ['AAA', 'AAA'],
    ['AAA', 'AAA', 'AA'],
  ];
  t.is(new Set(codes.map((list) => codesToNumber(...list))).size, codes.length);
});
