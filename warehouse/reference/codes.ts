import airportData from 'airport-data-js';
import type { Database } from '../connect.ts';
import { loadOnce } from '../ground/load-once.ts';
import { AIRPORT_TABLE } from './airport-table.ts';
import corrections from './icao-corrections.json' with { type: 'json' };
import { firstCodes, readAirlineCodes } from './icao-codes.ts';

/**
 * Fills the temporary tables `airport_places` (airports by IATA code), `airport_codes` (airports by ICAO code) and
 * `airline_codes` (airlines by ICAO code). The codes come from the packages of the reference data, with the reviewed
 * corrections of `icao-corrections.json`.
 */
export async function loadCodes(db: Database): Promise<void> {
  const { airports, airlines } = await readCodes();
  await db.run(
    `create or replace temp table airport_places as from read_parquet($places);
     create or replace temp table airport_codes as
     select codes.icao, places.*
     from (select unnest(from_json($codes::json, '[{"icao":"varchar","iata":"varchar"}]'), recursive := true)) as codes
     inner join airport_places as places using (iata)`,
    { places: AIRPORT_TABLE, codes: JSON.stringify(airports) },
  );
  await db.run(
    `create or replace temp table airline_codes as
     select unnest(from_json($codes::json, '[{"icao":"varchar","iata":"varchar"}]'), recursive := true)`,
    { codes: JSON.stringify(airlines) },
  );
}

const readCodes = loadOnce(async () => {
  const places = await airportData.findAirports({});
  return {
    airports: firstCodes(places, /^[A-Z]{3}$/, corrections.airports),
    airlines: readAirlineCodes(),
  };
});
