import { splitFlight } from '../../../schemas/flight-text.ts';

/** A flight, as in the address of its page. */
export type Flight = {
  origin: string;
  dest: string;
  airline: string;
  date: string;
  /** `HH:MM` */
  depTime?: string | undefined;
};

/** Returns `/flights/JFK-LAX-DL-2026-12-21?dep_time=18:30`. */
export function flightAddress({ origin, dest, airline, date, depTime }: Flight): string {
  const time = depTime === undefined ? '' : `?dep_time=${depTime}`;
  return `/flights/${origin}-${dest}-${airline}-${date}${time}`;
}

/** Returns `/flights/JFK-LAX-DL-2026-12-21/alternatives?dep_time=18:30`. */
export function alternativesAddress(flight: Flight): string {
  const [path, time] = flightAddress(flight).split('?');
  return `${path}/alternatives${time === undefined ? '' : `?${time}`}`;
}

/** Returns what a visitor entered, parsed from the address of a flight's page. Empty for other pages. */
export function enteredFlight(address: string): Partial<Record<keyof Flight, string>> {
  const { pathname, searchParams } = new URL(address, 'http://any');
  const [, root, name] = pathname.split('/');
  if (root !== 'flights') return {};
  const source =
    name === undefined
      ? searchParams
      : new URL(flightSource(decodeName(name), searchParams.get('dep_time')), 'http://any')
          .searchParams;
  const valueOf = (key: string) => source.get(key) || undefined;
  return Object.fromEntries(
    Object.entries({
      origin: valueOf('flight') ?? valueOf('origin'),
      dest: valueOf('dest'),
      airline: valueOf('airline'),
      date: valueOf('date'),
      depTime: valueOf('dep_time'),
    }).filter(([, value]) => value !== undefined),
  );
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * Returns the address of the data for a flight's page. `name` is the last part of the page's path: a flight as in the
 * API, such as `JFK-LAX-DL-2026-12-21`, `JFK-LAX-DL-2026-12-21T17:30` or `DL423-2026-12-21`. `depTime` replaces the time
 * in the name. The endpoint refuses invalid flights.
 */
export function flightSource(name: string, depTime: string | null): string {
  const { flight, origin, dest, airline, date, times } = splitFlight(name);
  const named =
    flight === ''
      ? { origin, dest, airline }
      : { flight, ...(origin !== '' && { origin }), ...(dest !== '' && { dest }) };
  const query = new URLSearchParams({ ...named, date });
  const time = depTime ?? times;
  if (time !== '') query.set('dep_time', time);
  return `/explorer/flight?${query}`;
}
