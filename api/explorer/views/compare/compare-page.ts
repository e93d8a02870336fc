import { callBox } from '../call-box.ts';
import { chanceText } from '../chance-lines.ts';
import { clock, day } from '../format.ts';
import type { Flight } from '../flight/address.ts';
import { optionText } from '../flight/answer.ts';
import { chanceOf } from '../flight/chance.ts';
import { flightOf, type BetterFlight } from '../flight/flight-data.ts';
import { html } from '../html.ts';
import type { Card, Frame, Page } from '../page.ts';
import { riskText } from '../risk-chip.ts';
import {
  compareAddress,
  flightText,
  type ComparedScore,
  type CompareData,
} from './compare-data.ts';
import { compareForm } from './compare-form.ts';
import { comparisonTable } from './comparison-table.ts';

/** The page that compares two to four flights. */
export const comparePage: Page<CompareData> = {
  path: '/compare',
  source: ({ query }) => `/explorer/compare${query.size === 0 ? '' : `?${query}`}`,
  canonical: ({ flights }) => compareAddress(flightsOf(flights)),
  title: ({ flights }) =>
    flights.length === 0
      ? 'Compare flights'
      : `Compare ${flights.map(({ input }) => `${input.origin}–${input.destination} ${input.airline}`).join(', ')}`,
  summary: ({ flights }) =>
    flights.length === 0
      ? 'Compare the delay risk of two to four flights side by side.'
      : verdictOf(flights, 'en-GB'),
  card: cardOf,
  view,
};

function flightsOf(scores: readonly ComparedScore[]): Flight[] {
  return scores.map((score) => flightOf({ score }));
}

function view(data: CompareData, frame: Frame) {
  const flights = flightsOf(data.flights);
  return html`<h1>Compare flights</h1>
    <p class="lead">${verdictOf(data.flights, frame.locale)}</p>
    ${data.flights.length > 0 && comparisonTable(data.flights, frame)} ${suggestions(data, frame)}
    ${compareForm(flights)} ${flights.length > 0 && callBox(frame.site, [callOf(flights)])}`;
}

function callOf(flights: readonly Flight[]) {
  const texts = flights.map(flightText).join(',');
  return {
    title: flights.length === 1 ? 'This flight' : 'These flights',
    path: `/api/score/batch?flights=${texts}&include=lineage,outlook,interval,drivers`,
  };
}

/** Names the flight with the lowest probability, and whether it is clearly lower. */
function verdictOf(scores: readonly ComparedScore[], locale: string): string {
  if (scores.length === 0) return 'Enter two to four flights. A city or a name is enough.';
  if (scores.length === 1) return 'Add a flight to compare it with this one.';
  if (scores.some(({ data_source }) => data_source === 'no_data')) {
    return 'At least one of these flights has no delay record, so the lowest risk is not known.';
  }
  const [best, ...others] = rankByChance(scores);
  if (!best) return 'The probability of at least one flight is not known, so compare the scores.';
  const { input, airline_info } = best.score;
  const time = input.dep_time === undefined ? '' : ` at ${clock(input.dep_time, locale)}`;
  const name = `${airline_info.name} from ${input.origin} to ${input.destination} on ${day(input.flight_date, locale, 'short')}${time}`;
  const lowest = `Lowest risk: ${name}, ${chanceText(best.chance.share, locale)} late or cancelled.`;
  if ([best, ...others].some(({ chance }) => !chance.interval)) {
    return `${lowest} The 90% interval of at least one flight is not known, so the difference may be chance.`;
  }
  const highest = best.chance.interval?.high ?? 1;
  const isClear = others.every(({ chance }) => (chance.interval?.low ?? 0) > highest);
  return `${lowest} ${
    isClear
      ? `${others.length === 1 ? 'The other flight clearly has a higher risk: its interval lies' : 'The other flights clearly have a higher risk: their intervals lie'} above the interval of this flight.`
      : 'The 90% interval of this flight overlaps with the interval of another flight, so the difference may be chance.'
  }`;
}

/** Sorts the flights by probability, lowest first. Empty if a flight has no probability. */
function rankByChance(scores: readonly ComparedScore[]) {
  const known = scores.flatMap((score) => {
    const chance = chanceOf(score);
    return chance ? [{ score, chance }] : [];
  });
  return known.length < scores.length
    ? []
    : known.toSorted((a, b) => a.chance.share - b.chance.share);
}

/** Returns the preview image of the comparison; undefined for fewer than two flights. */
function cardOf({ flights }: CompareData): Card | undefined {
  if (flights.length < 2) return undefined;
  const pairs = new Set(
    flights.map(({ origin_info, dest_info }) => `${origin_info.city} to ${dest_info.city}`),
  );
  const [pair = ''] = pairs;
  const airlines = new Set(flights.map(({ airline_info }) => airline_info.name));
  const texts = {
    title: pairs.size === 1 ? pair : 'Flights compared',
    subtitle: [...airlines].join(', '),
  };
  const [best] = rankByChance(flights);
  if (!best) return { ...texts, figure: String(flights.length), caption: 'flights', note: '' };
  const { airline_info, input, score } = best.score;
  return {
    ...texts,
    score,
    figure: chanceText(best.chance.share, 'en-GB'),
    caption: `lowest of ${flights.length} flights`,
    note: `${airline_info.name}, ${day(input.flight_date, 'en-GB', 'short')}`,
  };
}

/** Formats an option with the airline and day that it keeps: `Depart around 06:00 (American Airlines, Mon 7 Dec)`. */
function suggestionText(option: BetterFlight, locale: string): string {
  const { change, airline_name, date } = option;
  const unchanged = [
    (change === 'hour' || change === 'day') && airline_name,
    change !== 'day' && day(date, locale, 'short'),
  ].filter((part) => part !== false);
  return `${optionText(option, locale)} (${unchanged.join(', ')})`;
}

function suggestions({ flights, suggestions: options }: CompareData, { locale }: Frame) {
  if (options.length === 0) return undefined;
  return html`<section class="suggestions">
    <h2>Add a better option</h2>
    <ul>
      ${options.map(
        (one) =>
          html`<li>
            <a href=${compareAddress([...flightsOf(flights), one])}
              >${`${suggestionText(one, locale)}: ${riskText(one, locale)}`}</a
            >
          </li>`,
      )}
    </ul>
  </section>`;
}
