import type { Comparison, RecordCell, ScoreStore } from '../../../warehouse/store/types.ts';
import { aStore } from '../../helpers/store.ts';

const compared = (key: string, logRatio: number): Comparison => ({
  key,
  completedCount: 980,
  delayedCount: 98,
  otherCount: 2000,
  logRatio,
  logRatioSd: 0.1,
});

const COMPARISONS: Partial<Record<string, Comparison[]>> = {
  carrier: [compared('AA', 0.3), compared('DL', -0.3)],
  route: [compared('JFKLAX', -0.05)],
  route_carrier: [compared('JFKLAXDL', -0.2)],
  origin_carrier: [compared('JFKAA', 0.2), compared('JFKDL', -0.2), compared('LAXAA', 0.1)],
};

const CELL = { completedCount: 40, delayedCount: 4, cancelledCount: 1 };

/** Records for July and for departures from 8:00 to 8:59, or for both together. */
const CELLS: Partial<Record<string, RecordCell[]>> = {
  'origin JFK': [{ slot: 6 * 24 + 8, ...CELL }],
  'route JFKLAX': [
    { slot: 6, ...CELL },
    { slot: 12 + 8, ...CELL },
  ],
};

/** A store with flights of AA, B6 and DL from JFK to LAX and of AA from LAX to JFK, all in the hours 8 and 18. */
export const PLACES_STORE: ScoreStore = {
  ...aStore(),
  airlineRoutes: () => [
    ...['AA', 'B6', 'DL'].map((carrier) => ({ origin: 'JFK', dest: 'LAX', carrier })),
    { origin: 'LAX', dest: 'JFK', carrier: 'AA' },
  ],
  departureHours: () =>
    Float32Array.from({ length: 24 }, (_, hour) => (hour === 8 || hour === 18 ? 50 : 0)),
  recordMonths: () => ({ first: '2025-01', last: '2025-02' }),
  recordCells: (kind, code) => CELLS[`${kind} ${code}`],
  comparisons: (kind) => COMPARISONS[kind] ?? [],
  recentMonths: (kind, code) =>
    kind === 'dest' && code === 'JFK'
      ? [
          {
            month: '2025-12',
            flightCount: 100,
            delayed15Count: 20,
            cancelledCount: 2,
            divertedCount: 1,
          },
        ]
      : [],
};
