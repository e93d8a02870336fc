import type { InferredBody, OperatorBody, SellerBody } from './brands-data.ts';
import { month, percent } from './format.ts';
import { html, type Content } from './html.ts';
import { inferredMark } from './inferred.ts';
import { airlineAddress } from './places/addresses.ts';

/** Formats lists in English, because all texts are English. Only figures follow the visitor's locale. */
const AND = new Intl.ListFormat('en-GB');

/** Operators with a smaller share of a brand's flights are not named. */
const MIN_SHARE = 0.01;

/**
 * Formats `operated by Envoy Air (61%) and SkyWest Airlines (32%)`. Empty if the airline operates practically all
 * flights itself. The share of a single operator is left out.
 */
export function operatedBy(
  { airline, operators }: { airline: string; operators: readonly OperatorBody[] },
  locale: string,
): string {
  const named = operators.filter(({ share }) => share >= MIN_SHARE);
  if (named.every((one) => one.airline === airline)) return '';
  if (named.length === 1) return `operated by ${named[0]!.name}`;
  const texts = named.map(({ name, share }) => `${name} (${percent(share, locale, 0)})`);
  return `operated by ${AND.format(texts)}`;
}

/**
 * Formats `flies for American Airlines, Delta Air Lines and United Airlines`; undefined if the airline flies for no
 * brand.
 */
export function fliesFor(sellers: readonly SellerBody[]): string | undefined {
  const named = sellers.filter(({ share }) => share >= MIN_SHARE).map(({ name }) => name);
  return named.length === 0 ? undefined : `flies for ${AND.format(named)}`;
}

/**
 * Renders a list of operators or sellers. Each entry shows the airline's share and a link to its page. The sign `≈`
 * marks inferred brands. Returns undefined if no share is large enough for the list.
 */
export function partnerList(
  title: string,
  note: string,
  { partners, locale }: { partners: readonly (OperatorBody | SellerBody)[]; locale: string },
): Content {
  const shown = partners.filter(({ share }) => share >= MIN_SHARE);
  if (shown.length === 0) return undefined;
  return html`<section class="index partners" aria-label=${title}>
    <h2>${title}</h2>
    <p class="note">${note}</p>
    <ul>
      ${shown.map(
        (one) =>
          html`<li>
            <a href=${airlineAddress(one.airline)}>${one.name}</a>${' '}
            <span
              >${percent(one.share, locale, 0)}${sinceText(one, locale)}
              ${' '}${inferredMark(one.inferred, locale)}</span
            >
          </li>`,
      )}
    </ul>
  </section>`;
}

function sinceText(one: { last?: string; inferred: InferredBody }, locale: string): string {
  return one.last === undefined ? '' : `, until ${month(one.last, locale, 'short')}`;
}
