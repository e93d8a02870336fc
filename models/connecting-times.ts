import type { Airport } from '../warehouse/store/types.ts';

/** Kinds of connections, by the borders that their flights cross and by tickets. */
export const CONNECTION_KINDS = [
  'domestic',
  'to_abroad',
  'from_abroad',
  'separate_tickets',
] as const;

export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/**
 * Minutes that a passenger needs from the scheduled or actual arrival to the departure. These are our own values, set by
 * hand: airports publish lower minimums, which passengers with luggage, queues and a long way to the gate do not meet.
 * From abroad, passengers pass border control and often security. With separate tickets, they also collect and check
 * in their luggage again.
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

/** Territories between which and their country no passport is checked. */
const DOMESTIC_TERRITORIES: Record<string, string> = { PR: 'US', VI: 'US' };

function crossesBorder({ origin, dest }: Ends): boolean {
  const [from, to] = [origin, dest].map(
    ({ countryCode }) => DOMESTIC_TERRITORIES[countryCode] ?? countryCode,
  ) as [string, string];
  return from !== to && !(SCHENGEN.has(from) && SCHENGEN.has(to));
}
