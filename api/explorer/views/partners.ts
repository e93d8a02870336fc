import { PARTNERS, SELLERS, type Partners } from '../../scoring/sellers.ts';

/** English, because all texts are English. Only figures follow the visitor's locale. */
const AND = new Intl.ListFormat('en-GB');
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/**
 * Returns `flies for American, Delta and United` or `flew for United until 2020`; undefined if the airline sells its
 * own tickets.
 */
export function partnersText(airline: string): string | undefined {
  const partners = PARTNERS[airline];
  if (!partners) return undefined;
  const { until } = partners;
  const sellers = sellerNames(partners);
  return until === undefined
    ? `flies for ${AND.format(sellers)}`
    : `flew for ${AND.format(sellers)} until ${until}`;
}

/**
 * Returns `Republic Airways (flies for American, Delta and United)`, or only the name if the airline sells its own
 * tickets.
 */
export function nameWithPartners(name: string, airline: string): string {
  const whom = partnersText(airline);
  return whom === undefined ? name : `${name} (${whom})`;
}

/** Returns advice such as `Fly Republic Airways (book American, Delta or United)`. */
export function flyAdvice(name: string, airline: string): string {
  const partners = PARTNERS[airline];
  return `Fly ${name}${partners ? ` (book ${OR.format(sellerNames(partners))})` : ''}`;
}

/** Returns a sentence about airlines that fly for other airlines, with a leading space. Empty if there are none. */
export function partnersNote(airlines: readonly { code: string; name: string }[]): string {
  const texts = airlines.flatMap(({ code, name }) => {
    const whom = partnersText(code);
    return whom === undefined ? [] : [`${name} ${whom}`];
  });
  return texts.length === 0
    ? ''
    : ` Some airlines sell few tickets themselves: ${texts.join('; ')}.`;
}

function sellerNames({ sellers }: Partners): string[] {
  return sellers.map((one) => SELLERS[one]);
}
