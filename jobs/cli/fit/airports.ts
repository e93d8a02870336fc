import { stat, writeFile } from 'node:fs/promises';
import airportData from 'airport-data-js';
import { geoContains } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { AIRPORT_DETAILS } from '../../../warehouse/reference/airport-details.ts';
import { AIRPORT_TABLE, writeAirportTable } from '../../../warehouse/reference/airport-table.ts';
import { readAirports } from '../../../warehouse/reference/airports.ts';

/** Writes the airport tables that ship with the code, and prints their sizes. */
export async function writeAirports(): Promise<void> {
  const rows = await writeAirportTable(AIRPORT_TABLE);
  await writeFile(AIRPORT_DETAILS, detailsJson(await listDetails()));
  for (const file of [AIRPORT_TABLE, AIRPORT_DETAILS]) {
    const { size } = await stat(file);
    console.log(`${rows} airports, ${size} bytes`);
  }
}

type DetailsRow = [iata: string, icao: string, size: number, state: string];

/** Sizes of airports in the source, smallest first. */
const SIZES = ['small_airport', 'medium_airport', 'large_airport'];

/** Lists code, ICAO code, size and state of every airport, in code order; see `AirportDetails`. */
export async function listDetails(): Promise<DetailsRow[]> {
  const stateAt = await loadStates();
  const sources = new Map((await airportData.findAirports({})).map((row) => [row.iata, row]));
  return (await readAirports()).map(({ iata, countryCode, longitude, latitude }) => {
    const row = sources.get(iata);
    const isScheduled = String(row?.scheduled_service).toUpperCase() === 'TRUE';
    const size = isScheduled ? SIZES.indexOf(row?.type ?? '') + 1 : 0;
    const isAmerican = Object.hasOwn(TERRITORIES, countryCode) || countryCode === 'US';
    const state = isAmerican ? stateAt([longitude, latitude]) : '';
    return [iata, row?.icao ?? '', size, state];
  });
}

/** Writes one row per line, so that changes are readable. */
export function detailsJson(rows: DetailsRow[]): string {
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`;
}

/** Returns a function that names the state at a position, such as `TX Texas`. Outside all states, the name is empty. */
async function loadStates(): Promise<(position: [number, number]) => string> {
  const { default: atlas } = await import('us-atlas/states-10m.json', { with: { type: 'json' } });
  const topology = atlas as unknown as Topology;
  const states = topology.objects['states'] as GeometryCollection<{ name: string }>;
  const { features } = feature(topology, states);
  return (position) => {
    const state = features.find((one) => geoContains(one, position));
    return state ? `${POSTAL[state.properties.name] ?? ''} ${state.properties.name}`.trim() : '';
  };
}

/**
 * American territories, by country code. The source lists them as countries, and the atlas lists them with the states.
 */
const TERRITORIES = { AS: true, GU: true, MP: true, PR: true, VI: true };

/** Postal codes of states and territories (United States Postal Service). */
const POSTAL: Readonly<Record<string, string>> = Object.fromEntries(
  `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|
DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|
KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|
MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|
NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|
SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|
WV West Virginia|WI Wisconsin|WY Wyoming|AS American Samoa|GU Guam|PR Puerto Rico|
MP Commonwealth of the Northern Mariana Islands|VI United States Virgin Islands`
    .split('|')
    .map((state) => [state.trim().slice(3), state.trim().slice(0, 2)]),
);
