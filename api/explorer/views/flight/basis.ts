import { figure, month, percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import type { FlightData } from './flight-data.ts';

/** All words are English; figures alone are those of the place. */
const LIST = new Intl.ListFormat('en-GB');

/** How sure the score is, and what it rests on. */
export function basis({ score, known_now }: FlightData, { locale }: Frame) {
  const { stats, lineage } = score;
  const { record } = lineage;
  const rows: [string, unknown][] = [
    ['Record', recordText(score, locale)],
    [
      'Of it late or cancelled',
      stats.n_flights === 0
        ? 'nothing to count'
        : `${percent(stats.delay_rate_pct / 100, locale, 2)} more than 30 min late, by ${figure(stats.avg_delay_min, locale, 1)} min on average; ${percent(stats.cancel_rate_pct / 100, locale, 2)} cancelled`,
    ],
    [
      'Months of the record',
      record === null
        ? 'none'
        : `${month(record.first, locale, 'short')} to ${month(record.last, locale, 'short')}`,
    ],
    [
      'Brought up to date with',
      lineage.levels_until === null || known_now.length === 0
        ? 'nothing newer'
        : `delays of ${LIST.format(known_now)}, to ${month(lineage.levels_until, locale, 'short')}`,
    ],
    ['Confidence in the record', `${stats.confidence_pct} of 100`],
    [
      'Model',
      lineage.model === null ? 'none has a part in it' : html`<code>${lineage.model}</code>`,
    ],
    ['History', html`<code>${lineage.store_version}</code>`],
  ];
  return html`<section class="basis" id="basis">
    <h2>How sure, and from what</h2>
    <p>${certainty(score, locale)}</p>
    <dl>
      ${rows.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${
      lineage.unknown.length > 0 &&
      html`<p class="note">
        ${`Not known, and counted as for an average flight: ${lineage.unknown.map((name) => UNKNOWN[name] ?? name).join(', ')}.`}
      </p>`
    }
  </section>`;
}

function certainty({ interval }: FlightData['score'], locale: string) {
  if (interval === null) {
    return 'Nothing is known of route, airports and airline, so no interval can be given.';
  }
  const { level, low, high } = interval;
  const range = low === high ? `is ${low}` : `lies between ${low} and ${high}`;
  return `With ${percent(level, locale, 0)} certainty the long-run score of such flights ${range}. That says how much is known, not how lucky one flight is.`;
}

function recordText({ stats, data_source, airline_info }: FlightData['score'], locale: string) {
  const flights = `${figure(stats.n_flights, locale)} ${stats.n_flights === 1 ? 'flight' : 'flights'}`;
  if (data_source === 'exact') return `${flights} of ${airline_info.name} on this route`;
  if (data_source === 'no_data') return 'no flight on this route';
  return `${flights} of other airlines; ${airline_info.name} has not flown it on record`;
}

const UNKNOWN: Record<string, string> = {
  delay_rate: 'the delay record',
  cancel_rate: 'the cancellation record',
  congestion_dep: 'congestion where it leaves',
  congestion_arr: 'congestion where it arrives',
  weather_dep: 'weather where it leaves',
  weather_arr: 'weather where it arrives',
  seasonality: 'the time of year',
  event_risk: 'events',
};
