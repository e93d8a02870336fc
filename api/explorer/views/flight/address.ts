/** The parts of a flight page's address. */
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

/** Returns the endpoint address for the last path segment of a flight page. The endpoint refuses invalid flights. */
export function flightSource(name: string, depTime: string | null): string {
  const [origin = '', dest = '', airline = '', ...date] = name.split('-');
  const query = new URLSearchParams({ origin, dest, airline, date: date.join('-') });
  if (depTime !== null) query.set('dep_time', depTime);
  return `/explorer/flight?${query}`;
}
