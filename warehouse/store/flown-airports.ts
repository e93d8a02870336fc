import { CorruptFileError } from '../errors.ts';
import { decodeTable } from './arrow.ts';
import type { StoreFiles } from './store-manifest.ts';
import { STORE_TABLES, tableFile } from './tables.ts';
import type { Airport } from './types.ts';

/** Returns the airports of a store that have flights. The reference table has thousands of other airports. */
export function listFlownAirports(
  store: StoreFiles,
): Pick<Airport, 'iata' | 'latitude' | 'longitude' | 'timeZone'>[] {
  const groups = readTable(store, 'group_rates');
  const codes = groups.text('code');
  const codesWithFlights = new Set(
    groups.text('kind').flatMap((kind, row) => (kind === 'carrier' ? [] : (codes[row] ?? []))),
  );
  return readTable(store, 'airports')
    .rows()
    .filter(({ iata }) => codesWithFlights.has(String(iata)))
    .map(({ iata, latitude, longitude, time_zone }) => ({
      iata: String(iata),
      latitude: Number(latitude),
      longitude: Number(longitude),
      timeZone: String(time_zone),
    }));
}

function readTable({ files }: StoreFiles, name: 'group_rates' | 'airports') {
  const bytes = files.get(tableFile(name));
  if (!bytes) throw new CorruptFileError(tableFile(name), 'missing');
  return decodeTable(bytes, STORE_TABLES[name].columns);
}
