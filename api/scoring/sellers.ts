/**
 * The airlines that sell the flights of an operator. `until` is the last year in which the operator flew for these
 * airlines.
 */
export type Partners = { sellers: readonly Seller[]; until?: number };

export const SELLERS = { AA: 'American', AS: 'Alaska', DL: 'Delta', HA: 'Hawaiian', UA: 'United' };
export type Seller = keyof typeof SELLERS;

/**
 * Airlines that operate flights for other airlines, by IATA code. The history since 2018 names the operator of a
 * flight, but travellers buy the ticket from one of these sellers. A closed airline is listed with its last sellers.
 * Looked up in November 2026. Only the annual reports are primary sources. No source is newer than January 2026:
 * - Delta: Delta's announcement of 2019 to keep three carriers, and Wikipedia's article on Delta Connection.
 * - American: for the three carriers that American owns (MQ, OH, PT), American's annual report of 2024. For the other
 *   carriers, Wikipedia's article on American Eagle.
 * - United: Wikipedia's article on United Express. Alaska: Alaska's annual report of 2024, and Wikipedia's article on
 *   SkyWest.
 * - Airlines that stopped: the source is beside each entry.
 */
export const PARTNERS: Readonly<Record<string, Partners>> = {
  '9E': { sellers: ['DL'] },
  // Closed on 1 April 2020: St. Louis Post-Dispatch, The Points Guy.
  AX: { sellers: ['UA'], until: 2020 },
  C5: { sellers: ['UA'] },
  // Last flight on 5 April 2020: AirlineGeeks.
  CP: { sellers: ['AA', 'DL'], until: 2020 },
  // 'Ohana by Hawaiian halted on 14 January 2021: Hawaiian's own notice.
  EM: { sellers: ['HA'], until: 2021 },
  // Flew for United until 30 September 2020, and for American and Delta only until 2018: The Atlanta
  // Journal-Constitution.
  EV: { sellers: ['UA'], until: 2020 },
  // Flew for Delta too until 2020, according to Delta's announcement of 2019.
  G7: { sellers: ['UA'] },
  MQ: { sellers: ['AA'] },
  OH: { sellers: ['AA'] },
  OO: { sellers: ['AS', 'AA', 'DL', 'UA'] },
  PT: { sellers: ['AA'] },
  QX: { sellers: ['AS'] },
  // Owned together with Republic since 25 November 2025, and flies only for United: FlightGlobal.
  YV: { sellers: ['UA'] },
  // Flew for American, Delta and United before 25 November 2025, and still does: FlightGlobal.
  YX: { sellers: ['AA', 'DL', 'UA'] },
  // Flew for United until 2023, and for American until 3 April 2025: ch-aviation.
  ZW: { sellers: ['AA'], until: 2025 },
};

/**
 * Returns the airline's name if the airline may sell flights of the operator: `American` for `AA` and `YX`. Otherwise
 * returns undefined.
 */
export function sellerOf(airline: string, operator: string): string | undefined {
  const partners = PARTNERS[operator];
  const seller = partners?.sellers.find((one) => one === airline);
  return seller !== undefined && partners?.until === undefined ? SELLERS[seller] : undefined;
}

/** Returns whether nobody sells tickets for flights of the airline any more. */
export function isNoLongerSold(airline: string): boolean {
  return PARTNERS[airline]?.until !== undefined;
}
