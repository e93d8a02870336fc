import type { Airport } from '../warehouse/store/types.ts';

/** Kinds of connections: by the borders that the two flights cross, and by whether the tickets are separate. */
export const CONNECTION_KINDS = [
  'domestic',
  'to_abroad',
  'from_abroad',
  'separate_tickets',
] as const;

export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/**
 * Minutes that a passenger needs between arrival and departure. These are our own values, set by hand. Airports publish
 * lower minimums. These minimums are too short for a passenger who has luggage, waits in queues and walks a long way to
 * the gate. Passengers from abroad pass border control and often security. Passengers with separate tickets also
 * collect their luggage and check it in again.
 */
export const CONNECTING_MINUTES: Record<ConnectionKind, number> = {
  domestic: 45,
  to_abroad: 60,
  from_abroad: 90,
  separate_tickets: 150,
};

/** Countries without border control between them: the Schengen area in 2026. */
const SCHENGEN = new Set(
  'AT BE BG CH CZ DE DK EE ES FI FR GR HR HU IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
    ' ',
  ),
);

type Ends = { origin: Pick<Airport, 'countryCode'>; dest: Pick<Airport, 'countryCode'> };

/** Returns the kind of the connection between two flights. */
export function connectionKind(
  before: Ends,
  after: Ends,
  hasSeparateTickets: boolean,
): ConnectionKind {
  if (hasSeparateTickets) return 'separate_tickets';
  if (crossesBorder(before)) return 'from_abroad';
  return crossesBorder(after) ? 'to_abroad' : 'domestic';
}

/** Territories of another country. Flights between a territory and its country have no passport control. */
const DOMESTIC_TERRITORIES: Record<string, string> = { PR: 'US', VI: 'US' };

function crossesBorder({ origin, dest }: Ends): boolean {
  const [from, to] = [origin, dest].map(
    ({ countryCode }) => DOMESTIC_TERRITORIES[countryCode] ?? countryCode,
  ) as [string, string];
  return from !== to && !(SCHENGEN.has(from) && SCHENGEN.has(to));
}
