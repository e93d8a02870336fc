import test from 'ava';
import { openStore } from '../../../warehouse/store/open.ts';
import type { Row } from '../../../warehouse/store/arrow.ts';
import { storeFilesOf } from '../../helpers/store-files.ts';

/** Rows in the order of their codes: numbers 1 and 9999 of 9E, and 4567 of AA. */
const ROWS: Row[] = [
  { code: 146_610_001, month: 660, legs: 'ATL JFK 9E 5 - 3' },
  { code: 146_619_999, month: 660, legs: 'JFK ATL 9E - 2359 2' },
  { code: 167_054_567, month: 671, legs: 'DCA LGA YX 815 930 14,LGA BOS YX 1005 1120 7' },
];

const numbersOf = (flight_numbers: Row[]) =>
  openStore(storeFilesOf({ flight_numbers })).flightNumbers;

test('a flight number has its month and its legs with the operating airline and times', (t) => {
  t.deepEqual(numbersOf(ROWS).find('AA', 4567), {
    month: '2025-12',
    legs: [
      {
        ...{ origin: 'DCA', dest: 'LGA', carrier: 'YX' },
        ...{ depTime: '08:15', arrTime: '09:30', flightCount: 14 },
      },
      {
        ...{ origin: 'LGA', dest: 'BOS', carrier: 'YX' },
        ...{ depTime: '10:05', arrTime: '11:20', flightCount: 7 },
      },
    ],
  });
});

test('the first and the last number are found, and an unknown time is absent', (t) => {
  const leg = { origin: 'ATL', dest: 'JFK', carrier: '9E', depTime: '00:05', flightCount: 3 };
  t.deepEqual(numbersOf(ROWS).find('9E', 1)?.legs, [leg]);
  t.deepEqual(numbersOf(ROWS.slice(0, 2)).find('9E', 9_999)?.legs, [
    { origin: 'JFK', dest: 'ATL', carrier: '9E', arrTime: '23:59', flightCount: 2 },
  ]);
});

test('a number between, before or after the known numbers is unknown', (t) => {
  const { find } = numbersOf(ROWS);
  for (const [airline, number] of [
    ['9E', 2],
    ['00', 1],
    ['AA', 4566],
    ['ZZ', 9_999],
  ] as const) {
    t.is(find(airline, number), undefined, `${airline}${number}`);
  }
});

test('the flights of an airline on a route are those of the newest month', (t) => {
  const rows: Row[] = [
    { code: 167_049_999, month: 671, legs: 'LGA BOS AZ 700 815 14' },
    { code: 167_050_001, month: 671, legs: 'LGA BOS AA 700 815 14' },
    { code: 167_050_002, month: 670, legs: 'LGA BOS AA 800 915 14' },
    { code: 167_050_003, month: 671, legs: 'BOS LGA AA 900 1015 14,LGA BOS AA 1100 1215 9' },
    ...ROWS.slice(2),
    { code: 167_060_001, month: 671, legs: 'LGA BOS AB 700 815 14' },
  ];
  const { onRoute } = numbersOf(rows);
  const leg = { origin: 'LGA', dest: 'BOS', carrier: 'AA' };
  t.deepEqual(onRoute('AA', 'LGA', 'BOS'), [
    { ...leg, number: 1, depTime: '07:00', arrTime: '08:15', flightCount: 14 },
    { ...leg, number: 3, depTime: '11:00', arrTime: '12:15', flightCount: 9 },
    { ...leg, number: 4567, carrier: 'YX', depTime: '10:05', arrTime: '11:20', flightCount: 7 },
  ]);
  t.is(onRoute('AB', 'LGA', 'BOS').length, 1);
  for (const [airline, origin, dest] of [
    ['AA', 'LGA', 'DCA'],
    ['ZZ', 'LGA', 'BOS'],
    ['00', 'LGA', 'BOS'],
  ] as const) {
    t.deepEqual(onRoute(airline, origin, dest), [], airline + origin + dest);
  }
  t.deepEqual(numbersOf([]).onRoute('AA', 'LGA', 'BOS'), []);
});

test('the newest month is that of all numbers, and undefined without numbers', (t) => {
  t.is(numbersOf(ROWS).newestMonth, '2025-12');
  t.is(numbersOf([]).newestMonth, undefined);
  t.is(numbersOf([]).find('AA', 1), undefined);
});
