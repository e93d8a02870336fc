/** Whose tickets bring one aboard an airline that sells hardly any itself; `until`: the year in which it flew for them last. */
type Partners = { of: readonly Seller[]; until?: number };

const SELLERS = { AA: 'American', AS: 'Alaska', DL: 'Delta', HA: 'Hawaiian', UA: 'United' };
type Seller = keyof typeof SELLERS;

/**
 * Airlines of the record that fly for others, by the codes they have there since 2018. The history names who operates a flight; a
 * traveller buys it from one of these; of one that has ended, from those it flew for last. Looked up in November 2026, at secondary
 * sources but for annual reports, and none of them newer than January 2026:
 * - Delta: its announcement of 2019 to keep three carriers, and Wikipedia's article on Delta Connection.
 * - American: its annual report of 2024 for the three it owns (MQ, OH, PT), Wikipedia's article on American Eagle for the rest.
 * - United: Wikipedia's article on United Express. Alaska: its annual report of 2024, and Wikipedia's article on SkyWest.
 * - Those that ended: beside them.
 */
const PARTNERS: Readonly<Record<string, Partners>> = {
  '9E': { of: ['DL'] },
  // Closed on 1 April 2020: St. Louis Post-Dispatch, The Points Guy.
  AX: { of: ['UA'], until: 2020 },
  C5: { of: ['UA'] },
  // Last flight on 5 April 2020: AirlineGeeks.
  CP: { of: ['AA', 'DL'], until: 2020 },
  // 'Ohana by Hawaiian halted on 14 January 2021: Hawaiian's own notice.
  EM: { of: ['HA'], until: 2021 },
  // For United until 30 September 2020, for American and Delta only until 2018: The Atlanta Journal-Constitution.
  EV: { of: ['UA'], until: 2020 },
  // For Delta too until 2020, by Delta's announcement of 2019.
  G7: { of: ['UA'] },
  MQ: { of: ['AA'] },
  OH: { of: ['AA'] },
  OO: { of: ['AS', 'AA', 'DL', 'UA'] },
  PT: { of: ['AA'] },
  QX: { of: ['AS'] },
  // Owned together with Republic since 25 November 2025, and flies for United alone: FlightGlobal.
  YV: { of: ['UA'] },
  // For American, Delta and United, before and after that: FlightGlobal.
  YX: { of: ['AA', 'DL', 'UA'] },
  // For United until 2023, for American until 3 April 2025: ch-aviation.
  ZW: { of: ['AA'], until: 2025 },
};

/** All words are English; figures alone are those of the place. */
const AND = new Intl.ListFormat('en-GB');
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** `flies for American, Delta and United`, `flew for United until 2020`; undefined of an airline that sells its own tickets. */
export function fliesFor(airline: string): string | undefined {
  const partners = PARTNERS[airline];
  if (!partners) return undefined;
  const { until } = partners;
  const of = sellersOf(partners);
  return until === undefined
    ? `flies for ${AND.format(of)}`
    : `flew for ${AND.format(of)} until ${until}`;
}

/** `Republic Airways (flies for American, Delta and United)`, or the name alone. */
export function withPartners(name: string, airline: string): string {
  const whom = fliesFor(airline);
  return whom === undefined ? name : `${name} (${whom})`;
}

/** How to come aboard: `Fly Republic Airways (book American, Delta or United)`. */
export function toFly(name: string, airline: string): string {
  const partners = PARTNERS[airline];
  return `Fly ${name}${partners ? ` (book ${OR.format(sellersOf(partners))})` : ''}`;
}

/** Whose tickets may be for flights of the operator: `American` of `AA` and `YX`; undefined where they are not. */
export function sellerOf(airline: string, operator: string): string | undefined {
  const partners = PARTNERS[operator];
  const seller = partners?.of.find((one) => one === airline);
  return seller !== undefined && partners?.until === undefined ? SELLERS[seller] : undefined;
}

/** Whether nobody sells flights of the airline any more. */
export function sellsNoMore(airline: string): boolean {
  return PARTNERS[airline]?.until !== undefined;
}

/** Who of them flies for whom, as a sentence with a blank before it; nothing where all sell their own tickets. */
export function partnersNote(airlines: readonly { code: string; name: string }[]): string {
  const told = airlines.flatMap(({ code, name }) => {
    const whom = fliesFor(code);
    return whom === undefined ? [] : [`${name} ${whom}`];
  });
  return told.length === 0 ? '' : ` Some sell hardly any tickets themselves: ${told.join('; ')}.`;
}

function sellersOf({ of }: Partners): string[] {
  return of.map((one) => SELLERS[one]);
}
