import { riskLabel } from '../../../../models/label.ts';
import { chanceText } from '../chance-lines.ts';
import { figure, month } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { nameWithPartners } from '../partners.ts';
import { riskClass, barb } from '../risk.ts';
import { airlineAddress } from './addresses.ts';
import type { RouteData, Span } from './places-data.ts';

/** A table of the route's airlines with their expected risk and their record. */
export function routeAirlines({ airlines }: RouteData, { locale }: Frame) {
  if (airlines.length === 0) return undefined;
  return html`<section class="board lines" aria-label="Airlines on this route">
    <h2>Airlines on this route</h2>
    <ul>
      ${airlines.map(
        ({ iata, name, record, usual, first, last, is_current }) =>
          html`<li>
            <a href=${airlineAddress(iata)}>
              <span class="codes">${iata}</span>
              <span class="cities">${nameWithPartners(name, iata)}</span>
              <span class="by">
                ${figure(record.flights, locale)} flights, ${periodText(first, last, locale)}
              </span>
              ${
                usual
                  ? html`<span class=${`chip ${riskClass(usual.score)}`}>
                      ${barb(riskLabel(usual.score))} <b>${chanceText(usual.share, locale)}</b>
                      <small>${usual.score} ${riskLabel(usual.score)}</small>
                    </span>`
                  : html`<span class="chip risk-none"
                      ><small>${is_current ? 'hours unknown' : 'no recent flights'}</small></span
                    >`
              }
            </a>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Formats `34 months, January 2018 to April 2025`. */
export function spanText({ first, last, months }: Span, locale: string): string {
  if (first === '' || last === '') return 'empty';
  return `${figure(months, locale)} months, ${month(first, locale)} to ${month(last, locale)}`;
}

/** Formats `Jan 2018 – Apr 2025`, or a single month. */
function periodText(first: string, last: string, locale: string): string {
  return first === last
    ? month(first, locale, 'short')
    : `${month(first, locale, 'short')} – ${month(last, locale, 'short')}`;
}
