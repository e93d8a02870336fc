import { buildModels } from '../../warehouse/build/build.ts';
import { openDatabase } from '../../warehouse/connect.ts';
import { exportStore } from '../../warehouse/store/export.ts';
import type { Row } from '../../warehouse/store/arrow.ts';
import { sealManifest } from '../../warehouse/store/manifest.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import { packStore, type StoreContent } from '../../warehouse/store/pack.ts';
import { STORE_TABLES, type StoreTableName } from '../../warehouse/store/tables.ts';
import { oncePerRun } from './once-per-run.ts';
import { aRouteHour, fillWarehouse } from './warehouse.ts';
import { HOURS } from '../../warehouse/ground/hours.ts';

/** A published store of a few JFK-LAX flights, built with the real marts; another `delayed` gives another store. */
export async function someStoreFiles({
  delayed = 10,
  builtAt = '2026-11-01T02:30:00Z',
}: { delayed?: number; builtAt?: string } = {}): Promise<StoreFiles> {
  const { manifest, files } = await buildStore(delayed);
  const { version: _, ...content } = manifest;
  const at = new Date(builtAt).toISOString();
  return { manifest: sealManifest({ ...content, builtAt: at }), files };
}

function buildStore(delayed: number): Promise<StoreFiles> {
  return oncePerRun(`store files ${delayed}`, async () => {
    const db = await openDatabase({ threads: 1 });
    try {
      await fillWarehouse(db, {
        routeHours: [
          aRouteHour({ flight_count: 100, delayed_count: delayed, cancelled_count: 2 }),
          aRouteHour({ carrier: 'AA', flight_count: 50, delayed_count: 5 }),
        ],
        airportDays: [['2018-07-03', 'JFK', 100, 10]],
        holidays: [['US', '2026-12-25']],
      });
      await buildModels(db, () => undefined);
      await db.run(
        `insert into reference.airlines values ('DL', 'Delta Air Lines', 'United States')`,
      );
      return await exportStore(db, new Date());
    } finally {
      db.close();
    }
  });
}

/** A store with only these rows; other tables are empty, except for the one row of `network`. */
export function storeFilesOf(
  rows: Partial<Record<StoreTableName, Row[]>>,
  builtAt = '2026-11-01T02:30:00Z',
): StoreFiles {
  const all = Object.fromEntries(Object.keys(STORE_TABLES).map((name) => [name, []]));
  const network = [
    {
      delayed_rate: 0.12,
      cancelled_rate: 0.017,
      prior_flights: 50,
      level_log_odds: -2.041,
      level_rate: 0.115,
      is_level_now: 0,
      calendar_days: 365,
      full_hour_log_odds: 0.25,
    },
  ];
  return packStore({
    rows: { ...(all as unknown as StoreContent['rows']), network, ...rows },
    builtAt,
    provider: 'bts',
    months: ['2025-01'],
    lastFlightDate: null,
  });
}

/** Returns the hours of a row, all with this value. */
export function equalHours(value: number): Row {
  return { hours: HOURS.map(() => value) };
}
