import { figure } from '../format.ts';
import { flagImage } from '../flag.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import type { CountryItems, RankingData } from './places-data.ts';

/** Number of countries from which on their lists are folded. */
const FOLDED_FROM = 3;

/** All airports or airlines with a record, by country. */
export function countryList(
  subject: RankingData['of'],
  countries: readonly CountryItems[],
  { locale }: Frame,
) {
  if (countries.length === 0) return undefined;
  return html`<section class="countries" aria-labelledby="by-country">
    <h2 id="by-country">By country</h2>
    <p class="note">
      ${`All ${subject} with flights in a record. The comparison above covers only the largest record; the page of each one shows its own.`}
    </p>
    <div>
      ${countries.map(
        ({ country, country_code, items }) =>
          html`<details open=${countries.length < FOLDED_FROM}>
            <summary>
              ${flagImage(country_code ?? undefined)} ${country}${' '}
              <small>${figure(items.length, locale)}</small>
            </summary>
            <ul>
              ${items.map(({ name, address }) => html`<li><a href=${address}>${name}</a></li>`)}
            </ul>
          </details>`,
      )}
    </div>
  </section>`;
}
