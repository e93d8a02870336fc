import { chanceText, rangeText } from '../chance-lines.ts';
import { clock, day, flightCount, month, percent } from '../format.ts';
import { flightAddress } from '../flight/address.ts';
import { chanceOf } from '../flight/chance.ts';
import { flightOf } from '../flight/flight-data.ts';
import { html, type Content } from '../html.ts';
import type { Frame } from '../page.ts';
import { inferredLegend, inferredMark, toInferred } from '../inferred.ts';
import { barb, riskClass } from '../risk.ts';
import { compareAddress, type ComparedScore } from './compare-data.ts';

/** A table with a column for each flight, and the legend of the sign for inferred airlines. */
export function comparisonTable(flights: readonly ComparedScore[], { locale }: Frame) {
  const legend = inferredLegend(flights.map(({ lineage }) => lineage));
  return html`<div class="table compared" tabindex="0" role="region" aria-label="Comparison">
      <table>
        <thead>
          <tr>
            <th scope="col">Flight</th>
            ${flights.map((one, at) => html`<th scope="col">${headingOf(one, { at, flights, locale })}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${ROWS.map(
            ([name, cell]) =>
              html`<tr>
                <th scope="row">${name}</th>
                ${flights.map((one) => html`<td>${cell(one, locale)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${legend !== '' && html`<p class="note">${legend}</p>`}`;
}

type Column = { at: number; flights: readonly ComparedScore[]; locale: string };

function headingOf(score: ComparedScore, { at, flights, locale }: Column) {
  const { input, airline_info, origin_info, dest_info, lineage } = score;
  const time = input.dep_time === undefined ? 'any time' : clock(input.dep_time, locale);
  const others = flights.filter((_, place) => place !== at).map((one) => flightOf({ score: one }));
  const name = `${origin_info.city || input.origin} to ${dest_info.city || input.destination}`;
  return html`<a href=${flightAddress(flightOf({ score }))}>${name}</a>
    <small
      >${`${input.origin}–${input.destination}, ${airline_info.name}`}
      ${' '}${inferredMark(toInferred(lineage.brand), locale)}</small
    >
    <small>${`${day(input.flight_date, locale, 'short')}, ${time}`}</small>
    ${flights.length > 1 && html`<small><a href=${compareAddress(others)} aria-label=${`Remove ${name}, flight ${at + 1}`}>Remove</a></small>`}`;
}

type Row = [name: string, cell: (score: ComparedScore, locale: string) => Content];

const UNKNOWN = 'not known';

const ROWS: Row[] = [
  [
    'Late or cancelled',
    (score, locale) => {
      const chance = chanceOf(score);
      return chance ? html`<b class="large">${chanceText(chance.share, locale)}</b>` : UNKNOWN;
    },
  ],
  [
    '90% interval',
    (score, locale) => {
      const interval = chanceOf(score)?.interval;
      return interval ? rangeText(interval, locale) : UNKNOWN;
    },
  ],
  [
    'Average flight on all routes',
    (score, locale) => {
      const chance = chanceOf(score);
      return chance ? chanceText(chance.average, locale) : UNKNOWN;
    },
  ],
  [
    'Score',
    ({ score, label, data_source }) =>
      data_source === 'no_data'
        ? UNKNOWN
        : html`<span class=${`chip ${riskClass(score)}`}
            >${barb(label)} <b>${score}</b> <small>${label}</small></span
          >`,
  ],
  [
    'More than 1 hour late',
    ({ outlook }, locale) =>
      outlook ? chanceText(outlook.from_60_to_120 + outlook.over_120, locale) : UNKNOWN,
  ],
  [
    'Cancelled',
    ({ outlook }, locale) => (outlook ? chanceText(outlook.cancelled, locale) : UNKNOWN),
  ],
  [
    'Weather at departure',
    ({ weather_dep, lineage }) =>
      lineage.weather_dep.basis === 'none' ? UNKNOWN : weather_dep.condition,
  ],
  [
    'Weather at arrival',
    ({ weather_arr, lineage }) =>
      lineage.weather_arr.basis === 'none' ? UNKNOWN : weather_arr.condition,
  ],
  [
    'Late in the record',
    ({ stats, data_source }, locale) =>
      data_source === 'no_data'
        ? 'no record'
        : `${percent(stats.delay_rate_pct / 100, locale)} of ${flightCount(stats.n_flights, locale)}`,
  ],
  [
    'Record until',
    ({ lineage }, locale) => (lineage.record ? month(lineage.record.last, locale) : 'no record'),
  ],
  ['Advice', ({ recommendation }) => recommendation],
];
