import { flightCount, month } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { inferredMark, inferredNote } from '../inferred.ts';
import { operatedBy } from '../operators.ts';
import { riskChip } from '../risk-chip.ts';
import { airlineAddress } from './addresses.ts';
import type { RouteData } from './places-data.ts';

/** A table of the route's airlines with their expected risk and their record. */
export function routeAirlines({ airlines }: RouteData, { locale }: Frame) {
  if (airlines.length === 0) return undefined;
  return html`<section class="board lines" aria-label="Airlines on this route">
      <h2>Airlines on this route</h2>
      <ul>
        ${airlines.map(
          ({ iata, name, record, usual, first, last, is_current, operators, inferred }) =>
            html`<li>
              <a href=${airlineAddress(iata)}>
                <span class="codes">${iata}</span>
                <span class="cities">${name} ${inferredMark(inferred, locale)}</span>
                <span class="by">
                  ${flightCount(record.flights, locale)}, ${periodText(first, last, locale)}
                  <small class="operators"
                    >${operatedBy({ airline: iata, operators }, locale)}</small
                  >
                </span>
                ${
                  usual
                    ? riskChip(usual, locale)
                    : html`<span class="chip risk-none"
                        ><small>${is_current ? 'hours unknown' : 'no recent flights'}</small></span
                      >`
                }
              </a>
            </li>`,
        )}
      </ul>
    </section>
    ${operatorsNote(airlines)}`;
}

/**
 * Links to the pages of the airlines that only operate flights on the route, and explains the sign for inferred brands.
 */
function operatorsNote(airlines: RouteData['airlines']) {
  const partners = new Map(
    airlines.flatMap(({ operators }) => operators.map(({ airline, name }) => [airline, name])),
  );
  for (const { iata } of airlines) partners.delete(iata);
  if (partners.size === 0) return undefined;
  const names = [...partners].toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  return html`<p class="note">
    Airlines that operate flights for
    them:${' '}${names.map(
      ([airline, name], at) =>
        html`${at === 0 ? '' : ', '}<a href=${airlineAddress(airline)}>${name}</a>`,
    )}.${inferredNote(airlines)}
  </p>`;
}

/** Formats `Jan 2018 – Apr 2025`, or a single month. */
function periodText(first: string, last: string, locale: string): string {
  return first === last
    ? month(first, locale, 'short')
    : `${month(first, locale, 'short')} – ${month(last, locale, 'short')}`;
}
