import { flightForm } from '../flight-form.ts';
import { callBox, type Call } from '../call-box.ts';
import { hourToTime } from '../../../../warehouse/ground/hours.ts';
import { day, hour as hourText, month } from '../format.ts';
import { flightAddress } from '../flight/address.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { inferredMark, inferredNote } from '../inferred.ts';
import { riskChip } from '../risk-chip.ts';
import type { StartData } from './start-data.ts';

/** The first page: the flight form, and a board of flights a week from now. */
export const startPage: Page<StartData> = {
  path: '/',
  source: () => '/explorer/start',
  title: () => 'Will your flight be late?',
  summary: () =>
    'See the delay risk of your flight from 0 to 100, what drives it, and better options.',
  view,
};

function view(data: StartData, frame: Frame) {
  const { today, date, departures } = data;
  return html`<section class="opening">
      <h1>Will your flight be late?</h1>
      <p class="lead">
        Enter your flight to see its delay risk, what drives it, and better times, airlines and
        days.
      </p>
      ${flightForm({ date, first: today })}
      <p class="tocall">
        <a href="/compare">Compare flights</a>
        <a href="/trips">Check a connection</a>
      </p>
    </section>
    ${departures.length === 0 ? html`<p class="note">${EMPTY}</p>` : board(data, frame)}
    ${callBox(frame.site, callsOf(data))}`;
}

function callsOf({ departures, date }: StartData): Call[] {
  return departures.slice(0, 1).map(({ origin, dest, airline, from, to, hour }) => ({
    title: `${from} to ${to}, a week from now`,
    path: `/api/score?${new URLSearchParams({ origin, dest, airline, date, ...(hour !== null && { dep_time: hourToTime(hour) }) })}`,
  }));
}

const EMPTY =
  'The history has no flights yet, so there are no departures to show. You can still score a flight, but the score will be rough.';

/** A departure board of flights a week from now. */
function board({ date, departures, airports, months }: StartData, { locale }: Frame) {
  return html`<section class="board" aria-labelledby="board">
    <h2 id="board">A week from now, ${day(date, locale)}</h2>
    <ul>
      ${departures.map(
        (one) =>
          html`<li>
            <a
              href=${flightAddress({ ...one, date, depTime: one.hour === null ? undefined : hourToTime(one.hour) })}
            >
              <span class="codes">
                ${one.hour !== null && html`<time>${hourText(one.hour, locale)}</time>`}
                ${one.origin} <i>→</i> ${one.dest}
              </span>
              <span class="cities">${one.from} to ${one.to}</span>
              <span class="by">${one.airline_name} ${inferredMark(one.inferred, locale)}</span>
              ${riskChip({ score: one.score, share: one.chance }, locale)}
            </a>
          </li>`,
      )}
    </ul>
    <p class="note">
      Flights on the busiest routes, from morning to evening. The percentage is the chance of
      arriving more than 30 minutes late or of being cancelled. The score beside it goes from 0
      (lowest risk) to 100 (highest risk).${' '}
      ${recordText({ airports, months }, locale)}${inferredNote(departures)}
    </p>
  </section>`;
}

function recordText({ airports, months }: Pick<StartData, 'airports' | 'months'>, locale: string) {
  const { first, last } = months;
  const span =
    first === null || last === null
      ? ''
      : `, from ${month(first, locale)} to ${month(last, locale)}`;
  return `The record covers ${airports} airports${span}.`;
}
