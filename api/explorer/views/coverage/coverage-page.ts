import { factList } from '../facts.ts';
import { flagImage } from '../flag.ts';
import { figuresTable } from '../figures-table.ts';
import { figure, month, spanText } from '../format.ts';
import { html, type Content } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { airlineAddress, routeAddress } from '../places/addresses.ts';
import type { CoverageBody, CoveredRecord } from '../../../schemas/coverage.ts';

/** The page of the flight records behind the scores, by provider. */
export const coveragePage: Page<CoverageBody> = {
  path: '/coverage',
  source: () => '/explorer/coverage',
  title: () => 'Which flights are covered?',
  summary: () => 'Routes, airlines, months and terms of the flight records behind the scores.',
  view,
};

/** Texts are always English. */
const COUNTRY_NAMES = new Intl.DisplayNames(['en-GB'], { type: 'region', fallback: 'code' });

function view({ records }: CoverageBody, frame: Frame) {
  return html`<h1>Which flights are covered?</h1>
    <p class="lead">
      The score of a flight is reliable only if a record below covers its airline and route. Other
      flights get a rough score, without a probability.
    </p>
    ${records.map((record) => recordSection(record, frame))}
    <p>
      For administrators of this server: you can load records of other countries. The page of a
      flight without a record shows the command.
    </p>`;
}

function recordSection(record: CoveredRecord, frame: Frame) {
  const { provider, title, airlines, routes } = record;
  const { locale } = frame;
  const span = ({ first, last }: { first: string; last: string }) =>
    monthsText(first, last, locale);
  return html`<section aria-labelledby=${provider}>
    <h2 id=${provider}>${record.countries.map(flagImage)} ${headingOf(record)}</h2>
    ${factList(factsOf(record, title, locale))}
    <div class="tables">
      <div>
        ${figuresTable(
          `Airlines with the most flights, ${title}`,
          ['Airline', 'Routes', 'Flights', 'Months'],
          airlines.map((one) => [
            html`<a href=${airlineAddress(one.code)}>${`${one.name} (${one.code})`}</a>`,
            figure(one.routes, locale),
            figure(one.flights, locale),
            span(one),
          ]),
        )}
      </div>
      <div>
        ${figuresTable(
          `Routes with the most flights, ${title}`,
          ['Route', 'Airlines', 'Flights', 'Months'],
          routes.map((one) => [
            html`<a href=${routeAddress(one.origin, one.dest)}>${one.name}</a>`,
            figure(one.airlines, locale),
            figure(one.flights, locale),
            span(one),
          ]),
        )}
      </div>
    </div>
  </section>`;
}

/** Names the countries of a record. If the record has no countries, names the provider. */
function headingOf({ countries, title }: CoveredRecord): string {
  if (countries.length === 0) return title;
  return countries.map((code) => COUNTRY_NAMES.of(code) ?? code).join(', ');
}

function factsOf(record: CoveredRecord, title: string, locale: string): [string, Content][] {
  const { months, years, inferred_over_min: inferred } = record;
  const rows: [string, Content | false][] = [
    [
      'Provider',
      record.url === '' ? title : html`<a href=${record.url} rel="noopener">${title}</a>`,
    ],
    ['Terms', record.terms],
    [
      'Months',
      months.first !== null && months.last !== null
        ? spanText(
            { first: months.first, last: months.last, months: months.count },
            locale,
            'short',
          )
        : 'none',
    ],
    [
      'Age of the newest data',
      months.age_days !== null && `${figure(months.age_days, locale)} days`,
    ],
    ['Years known only as totals', years.length > 0 && years.join(', ')],
    ['Flights', figure(record.flights, locale)],
    ['Routes', figure(record.route_count, locale)],
    ['Airlines', figure(record.airline_count, locale)],
    ['Airports', figure(record.airports, locale)],
    [
      'Estimated',
      inferred !== null &&
        `The provider does not say how many flights were more than ${inferred} minutes late. We estimate their number from the shorter delays that it counts.`,
    ],
  ];
  return rows.filter((row): row is [string, Content] => row[1] !== false);
}

function monthsText(first: string, last: string, locale: string): string {
  const from = month(first, locale, 'short');
  return first === last ? from : `${from} to ${month(last, locale, 'short')}`;
}
