/** Parts of the address of a flight's page. */
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
      origin: valueOf('origin') ?? valueOf('flight'),
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

/** A flight number such as `AA4567`. Normal names and codes of places have no digits. */
const FLIGHT_NUMBER = /^[a-z\d]{2,3} ?\d{1,4}[a-z]?$/i;

/**
 * Returns the address of the data for a flight's page. `name` is the last part of the page's path, such as
 * `JFK-LAX-DL-2026-12-21` or `DL423-2026-12-21`. The endpoint refuses invalid flights.
 */
export function flightSource(name: string, depTime: string | null): string {
  const [origin = '', dest = '', airline = '', ...date] = name.split('-');
  const query = FLIGHT_NUMBER.test(origin)
    ? new URLSearchParams({ flight: origin, date: name.slice(origin.length + 1) })
    : new URLSearchParams({ origin, dest, airline, date: date.join('-') });
  if (depTime !== null) query.set('dep_time', depTime);
  return `/explorer/flight?${query}`;
}
