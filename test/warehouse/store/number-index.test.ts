import test from 'ava';
import fc from 'fast-check';
import { codesNumber } from '../../../warehouse/store/code-number.ts';
import { createNumberIndex } from '../../../warehouse/store/number-index.ts';

test('a number index holds what a map would', (t) => {
  const number = fc.oneof(
    fc.integer({ min: 1, max: 50 }),
    fc.integer({ min: 1, max: 5 * 10 ** 12 }),
  );
  fc.assert(
    // As many as are expected, fewer or more.
    fc.property(
      fc.array(fc.tuple(number, fc.nat()), { maxLength: 200 }),
      fc.array(number),
      fc.integer({ min: 0, max: 100 }),
      (put, asked, expected) => {
        const [index, map] = [createNumberIndex(expected), new Map(put)];
        for (const [key, value] of put) index.set(key, value);
        t.is(index.size(), map.size);
        for (const key of [...map.keys(), ...asked]) t.is(index.get(key), map.get(key) ?? -1);
      },
    ),
  );
});

test('codes of another airport, airline or length make another number', (t) => {
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
  t.is(new Set(codes.map((some) => codesNumber(...some))).size, codes.length);
});
