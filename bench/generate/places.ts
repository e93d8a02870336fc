import { readAirports } from '../../warehouse/reference/airports.ts';
import { STATES } from './states.ts';

/** An airport of the generator. */
export type Place = {
  iata: string;
  /** The columns `OriginAirportID` to `OriginWac`, or the same columns for the destination, as CSV text. */
  columns: string;
  /** Made-up number of the airport, in the range that BTS uses; the value of the column `Div1AirportID`. */
  airportId: number;
  latitude: number;
  longitude: number;
  /** Local time minus UTC on the first of the month. */
  utcOffsetMin: number;
};

/** Returns every airport of the seed by IATA code, with its UTC offset in the month. */
export async function readPlaces(month: string): Promise<Map<string, Place>> {
  const airports = new Map((await readAirports()).map((airport) => [airport.iata, airport]));
  const noon = new Date(`${month}-01T12:00:00Z`);
  const codes = STATES.flatMap(([, , , , codes]) => codes.split(' ')).toSorted();
  const states = new Map(
    STATES.flatMap((state) => state[4].split(' ').map((iata) => [iata, state] as const)),
  );
  return new Map(
    codes.map((iata, index) => {
      const airport = airports.get(iata);
      const [code, fips, worldAreaCode, name] = states.get(iata) ?? ['', '', 0, ''];
      // BTS numbers airports in the order of their codes; with steps of 16, all numbers are in the range that BTS uses.
      const airportId = 10_135 + 16 * index;
      const city = `${airport?.city || iata}, ${iata === 'DCA' || iata === 'IAD' ? 'DC' : code}`;
      return [
        iata,
        {
          iata,
          columns: `${airportId},${airportId}02,${airportId + 20_000},"${iata}","${city}","${code}","${fips}","${name}",${worldAreaCode}`,
          airportId,
          latitude: airport?.latitude ?? 40,
          longitude: airport?.longitude ?? -90,
          utcOffsetMin: utcOffsetMin(airport?.timeZone ?? 'America/Chicago', noon),
        },
      ];
    }),
  );
}

/** Returns the great-circle distance in whole statute miles, at least 31. */
export function milesBetween(from: Place, to: Place): number {
  const radians = Math.PI / 180;
  const north = Math.sin(((to.latitude - from.latitude) * radians) / 2) ** 2;
  const east = Math.sin(((to.longitude - from.longitude) * radians) / 2) ** 2;
  const shrink = Math.cos(from.latitude * radians) * Math.cos(to.latitude * radians);
  const earthDiameterMiles = 7918;
  const miles = earthDiameterMiles * Math.asin(Math.sqrt(north + shrink * east));
  return Math.max(31, Math.round(miles));
}

function utcOffsetMin(timeZone: string, at: Date): number {
  const name = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -offset : offset;
}
