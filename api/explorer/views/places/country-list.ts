import { chanceText } from '../chance-lines.ts';
import { figuresTable } from '../figures-table.ts';
import { figure, percent } from '../format.ts';
import { flagImage } from '../flag.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { MIN_FLIGHTS } from './shares.ts';
import type { CountryFigures, RankingData } from './places-data.ts';

/** The figures of all airports or airlines of a country. */
export function countryFigures({ of: subject, country, figures }: RankingData, frame: Frame) {
  return html`<section class="country-figures" aria-labelledby="figures">
    <h2 id="figures">Figures</h2>
    <p class="note">${NOTES[subject]}</p>
    ${table(subject, `All ${subject} on record: ${country?.name ?? ''}`, figures, frame)}
  </section>`;
}

const COMMON_NOTE =
  '“Arrived late” means more than 30 minutes late. “Expected” is the usual share of late or cancelled flights. It is unknown for records without departure hours.';
const NOTES = {
  airports: `The departures of an airport are counted in the record that has most of them. ${COMMON_NOTE}`,
  airlines: `The flights of an airline are counted in the record that has most of them. ${COMMON_NOTE}`,
};

function table(
  subject: RankingData['of'],
  caption: string,
  figures: readonly CountryFigures[],
  { locale }: Frame,
) {
  const columns = [
    'Flights',
    'Arrived late',
    'Expected',
    'Against similar flights',
    '90% interval',
  ];
  return figuresTable(
    caption,
    [subject === 'airlines' ? 'Airline' : 'Airport', ...columns],
    figures.map(({ name, address, flights, late_share, usual, compared }) => [
      html`<a href=${address}>${name}</a>`,
      figure(flights, locale),
      lateText(flights, late_share, locale),
      usual ? chanceText(usual.share, locale) : 'unknown',
      compared ? `×${compared.ratio.toFixed(2)}` : 'not compared',
      compared ? `×${compared.low.toFixed(2)} to ×${compared.high.toFixed(2)}` : '',
    ]),
  );
}

function lateText(flights: number, share: number | null, locale: string): string {
  if (share === null) return 'unknown';
  return flights < MIN_FLIGHTS ? 'too few flights' : percent(share, locale);
}

/** Keeps the number of airlines on the line of the country's name. */
const NO_BREAK_SPACE = '\u00a0';

/** Links to the comparison of each country. */
export function countryList({ of: subject, countries, country }: RankingData, { locale }: Frame) {
  if (countries.length === 0) return undefined;
  return html`<section class="countries" aria-labelledby="by-country">
    <h2 id="by-country">By country</h2>
    <p class="note">
      ${country === null && 'The comparison above covers only the flights of our largest data source. '}
      ${`Choose a country to see its ${subject}.`}
    </p>
    <ul>
      ${countries.map(
        ({ code, name, items }) =>
          html`<li>
            ${flagImage(code)}${' '}<a
              href=${`/${subject}?country=${code}`}
              aria-current=${code === country?.code ? 'page' : undefined}
              >${name}</a
            >${NO_BREAK_SPACE}<small>${figure(items, locale)}</small>
          </li>`,
      )}
    </ul>
  </section>`;
}
