import { figure, flightCount, month, percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { inferredText, toInferred } from '../inferred.ts';
import type { FlightData } from './flight-data.ts';

/** Formats lists in English, because all texts are English. Only figures follow the visitor's locale. */
const LIST = new Intl.ListFormat('en-GB');

/** The section about the confidence in the score and the sources of the score. */
export function basisSection({ score, known_now }: FlightData, { locale }: Frame) {
  const { stats, lineage } = score;
  const { record } = lineage;
  const rows: [string, unknown][] = [
    ['Record', recordText(score, locale)],
    [
      'Late or cancelled, at all hours',
      stats.n_flights === 0
        ? 'no flights to count'
        : `${percent(stats.delay_rate_pct / 100, locale, 2)} arrived more than 30 min late${averageDelay(stats, locale)}; ${percent(stats.cancel_rate_pct / 100, locale, 2)} were cancelled`,
    ],
    [
      'Months of the record',
      record === null
        ? 'none'
        : `${month(record.first, locale, 'short')} to ${month(record.last, locale, 'short')}`,
    ],
    [
      'Also used',
      lineage.levels_until === null || known_now.length === 0
        ? 'no newer figures'
        : `monthly delay figures of ${LIST.format(known_now)} until ${month(lineage.levels_until, locale, 'short')}`,
    ],
    ...brandRows(score, locale),
    ...inferredRows(score, locale),
    ...accuracyRows(score),
    ['Confidence in the record', `${stats.confidence_pct}% (higher with more and newer flights)`],
    ['Model', lineage.model === null ? 'not used' : html`<code>${lineage.model}</code>`],
    ['History', html`<code>${lineage.store_version}</code>`],
  ];
  return html`<section class="basis" id="basis">
    <h2>Confidence and sources</h2>
    <p>${intervalText(score, locale)}</p>
    ${stats.n_flights > 0 && html`<p>The forecast may differ from the record, because the record covers all hours and days.</p>`}
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
        ${`Unknown for this flight: ${lineage.unknown.map((name) => UNKNOWN_NAMES[name] ?? name).join(', ')}. For these, the score uses typical values.`}
      </p>`
    }
  </section>`;
}

/** Explains which part of a brand's record is inferred. */
function brandRows({ lineage }: FlightData['score'], locale: string): [string, string][] {
  const inferred = toInferred(lineage.brand);
  return inferred ? [['Airline on the ticket', inferredText(inferred, locale)]] : [];
}

/**
 * If the provider does not count short delays, explains which delays are counted and how uncertain the inferred share
 * is.
 */
function inferredRows({ lineage }: FlightData['score'], locale: string): [string, string][] {
  const [first, ...longer] = lineage.inferred;
  if (first === undefined) return [];
  const [share, low, high] = [
    first.share,
    Math.max(0, first.share - first.error),
    Math.min(1, first.share + first.error),
  ].map((one) => percent(one, locale, 0));
  const others = longer.length > 0 ? ' Longer delays are estimated too.' : '';
  return [
    [
      'Estimated',
      `This record has the number of delays over ${first.of} min, but not the number over ${first.minutes} min. We assume that ${share} of the delays over ${first.of} min are also over ${first.minutes} min. In other records, this share is ${low} to ${high}.${others}`,
    ],
  ];
}

/** Warns if the forecasts for this record were less accurate than a simple average. */
function accuracyRows({ lineage }: FlightData['score']): [string, unknown][] {
  if (lineage.accuracy !== 'failed') return [];
  return [
    [
      'Accuracy',
      html`In the newest months of this record, a simple average was more accurate than our
        forecasts. <a href="/model">Measured accuracy</a>`,
    ],
  ];
}

/** Formats `, by 98.1 min on average`; empty if no flight was late. */
function averageDelay({ avg_delay_min }: FlightData['score']['stats'], locale: string): string {
  return avg_delay_min === 0 ? '' : `, by ${figure(avg_delay_min, locale, 1)} min on average`;
}

function intervalText({ interval }: FlightData['score'], locale: string) {
  if (interval === null) {
    return 'This flight has no record, so it is not known how uncertain the score is.';
  }
  const { level, low, high } = interval;
  const range = low === high ? low : `between ${low} and ${high}`;
  return `The score of flights like this is probably ${range} (${percent(level, locale, 0)} interval). Each single flight may be on time or late.`;
}

function recordText({ stats, data_source, airline_info }: FlightData['score'], locale: string) {
  const flights = flightCount(stats.n_flights, locale);
  if (data_source === 'exact') return `${flights} by ${airline_info.name} on this route`;
  if (data_source === 'no_data') return 'no flights on this route';
  return `${flights} by other airlines; none by ${airline_info.name} on this route`;
}

const UNKNOWN_NAMES: Record<string, string> = {
  delay_rate: 'the delay record',
  cancel_rate: 'the cancellation record',
  congestion_dep: 'congestion at departure',
  congestion_arr: 'congestion at arrival',
  weather_dep: 'weather at departure',
  weather_arr: 'weather at arrival',
  seasonality: 'the time of year',
  event_risk: 'events',
};
