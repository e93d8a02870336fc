import { hourOfTime, hourToTime } from '../../../../warehouse/ground/hours.ts';
import { averageText, chanceLines, chanceText } from '../chance-lines.ts';
import { clock, day, hour as hourText } from '../format.ts';
import { flightAddress } from '../flight/address.ts';
import { html } from '../html.ts';
import { scoreLegend, shareLegend } from '../legend.ts';
import type { Card, Frame, Page } from '../page.ts';
import { inferredMark, inferredNote } from '../inferred.ts';
import { operatedBy } from '../operators.ts';
import { airportAddress, todayAddress } from '../places/addresses.ts';
import { scoreOfShare } from '../places/shares.ts';
import { riskClass } from '../risk.ts';
import { riskChip } from '../risk-chip.ts';
import { isAnythingLive, liveSection } from './live-section.ts';
import type { TodayData, TodayHour } from './today-data.ts';

/** An airport's board for today, readable from a distance. It loads its data again every ten minutes. */
export const todayPage: Page<TodayData> = {
  path: '/airports/:airport/today',
  source: ({ params }) =>
    `/explorer/today?${new URLSearchParams({ airport: params['airport'] ?? '' })}`,
  title: ({ airport }) => `${airport.city} ${airport.iata} today: delays by hour`,
  summary: ({ airport }) =>
    `Expected delays of departures from ${airport.city} by hour, with airport status, weather and news.`,
  card: cardOf,
  refreshS: 600,
  view,
};

function cardOf({ airport, date, rest, average }: TodayData): Card {
  const texts = {
    title: `${airport.city} ${airport.iata} today`,
    subtitle: `Departures on ${day(date, 'en-GB')}`,
  };
  if (!rest) return { ...texts, figure: '?', caption: 'no departures expected', note: '' };
  if (rest.share === null) {
    const figure = String(rest.score);
    return { ...texts, figure, caption: 'average score', note: UNTIL_MIDNIGHT, score: rest.score };
  }
  const note = average === null ? UNTIL_MIDNIGHT : `average flight ${chanceText(average, 'en-GB')}`;
  const figure = chanceText(rest.share, 'en-GB');
  return { ...texts, figure, caption: 'late or cancelled', note, score: rest.score };
}

const UNTIL_MIDNIGHT = 'until midnight';

function view(data: TodayData, frame: Frame) {
  const { airport, date, time } = data;
  return html`<article class="today">
    <h1>
      ${`${airport.city} ${airport.iata} today`}
      <small>${`${day(date, frame.locale)}, ${clock(time, frame.locale)} local time`}</small>
    </h1>
    ${!isAnythingLive(data) && html`<p class="warning" role="note">${NOT_LIVE}</p>`}
    <section class="outlook" aria-label="The rest of today">
      ${restOfDay(data, frame)} ${liveSection(data, frame)}
    </section>
    ${data.hours.length > 0 && hourTiles(data, frame)} ${riskBoard(data, frame)}
    ${refreshNote(data, frame)}
  </article>`;
}

const NOT_LIVE =
  'Nothing here is live. No weather forecast, airport status or news has been fetched, so the figures are typical for this day of the year.';

function restOfDay({ airport, hours, rest, average }: TodayData, { locale }: Frame) {
  if (!rest) {
    const text =
      hours.length === 0
        ? `The history has no departures from ${airport.iata}.`
        : `No more departures from ${airport.iata} are expected today.`;
    return html`<div class="verdict"><p class="odds">${text}</p></div>`;
  }
  const remarks = average === null ? [] : [averageText(average, locale)];
  return html`<div class="verdict">
    ${
      rest.share === null
        ? html`<p class="chance">
            <b>${rest.score}</b><span><strong>average score</strong></span>
          </p>`
        : chanceLines({ share: rest.share, remarks }, locale)
    }
    <p class="odds">Departures from ${airport.iata}, now until midnight.</p>
  </div>`;
}

/** One tile for each hour with departures. */
function hourTiles({ hours, time }: TodayData, { locale }: Frame) {
  const now = hourOfTime(time);
  const hasShares = hours.some(({ share }) => share !== null);
  return html`<section class="hours-today" aria-labelledby="by-hour">
    <h2 id="by-hour">By hour of departure</h2>
    <p class="note">
      ${
        hasShares
          ? 'Large figure: share of departures expected to be more than 30 minutes late or cancelled.'
          : 'Large figure: average score of the departures, from 0 to 100.'
      }
      ${' '}Small figure: share of the day’s flights. Hours with a dashed border have passed.
    </p>
    <ol>
      ${hours.map(
        (one) =>
          html`<li
            class=${`${riskClass(colourOf(one))} ${one.hour < now ? 'past' : ''}`}
            aria-current=${one.hour === now ? 'time' : undefined}
          >
            <span>${hourText(one.hour, locale)}</span>
            <b>${one.share === null ? one.score : chanceText(one.share, locale)}</b>
            <small
              >${`${one.hour === now ? 'now; ' : ''}${chanceText(one.flights, locale)} of flights`}</small
            >
          </li>`,
      )}
    </ol>
    <div class="drawing key">${hasShares ? shareLegend(locale) : scoreLegend()}</div>
  </section>`;
}

/** Returns the score that sets the colour of a tile. */
function colourOf({ share, score }: TodayHour): number {
  return share === null ? score : scoreOfShare(share);
}

function riskBoard({ airport, date, risks }: TodayData, { locale }: Frame) {
  if (risks.length === 0) return undefined;
  return html`<section class="board" aria-labelledby="risks">
    <h2 id="risks">Highest risk for the rest of today</h2>
    <ul>
      ${risks.map(
        (one) =>
          html`<li>
            <a
              href=${flightAddress({
                ...{ origin: airport.iata, dest: one.dest, airline: one.airline, date },
                depTime: hourToTime(one.hour),
              })}
            >
              <span class="codes"
                ><time>${hourText(one.hour, locale)}</time> <i>→</i> ${one.dest}</span
              >
              <span class="cities">${one.city}</span>
              <span class="by"
                >${one.airline_name} ${inferredMark(one.inferred, locale)}
                <small class="operators">${operatedBy(one, locale)}</small></span
              >
              ${riskChip(one, locale)}
            </a>
          </li>`,
      )}
    </ul>
    <p class="note">
      The list shows departures that were usual in the past, not today’s
      timetable.${inferredNote(risks)}
    </p>
  </section>`;
}

function refreshNote({ airport, time }: TodayData, { address, locale }: Frame) {
  const isOff = address.includes('refresh=off');
  const here = todayAddress(airport.iata);
  return html`<p class="note refresh">
    ${`Computed at ${clock(time, locale)}. ${isOff ? 'This page does not refresh itself.' : 'This page refreshes itself every ten minutes.'}`}
    ${' '}<a href=${isOff ? here : `${here}?refresh=off`}
      >${isOff ? 'Start refreshing' : 'Stop refreshing'}</a
    >
    ${' · '}<a href=${airportAddress(airport.iata)}>See ${airport.iata} over the year</a>
  </p>`;
}
