import { askForm } from '../ask-form.ts';
import { barb } from '../barb.ts';
import { callBox, type Call } from '../call-box.ts';
import { day, month } from '../format.ts';
import { flightAddress } from '../flight/address.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { withPartners } from '../partners.ts';
import { riskClass } from '../risk.ts';
import type { StartData } from './start-data.ts';

/** The first page: the question, and a board of flights a week from now. */
export const startPage: Page<StartData> = {
  path: '/',
  source: () => '/explorer/start',
  title: () => 'Will your flight be late?',
  summary: () =>
    'The delay risk of a flight from 0 to 100, with what is behind it and what would be better.',
  view,
};

function view(data: StartData, frame: Frame) {
  const { today, date, departures } = data;
  return html`<section class="opening">
      <h1>Will your flight be late?</h1>
      <p class="lead">
        Name it, and see the risk from 0 to 100, what is behind it, and which hour, airline or day
        would be better.
      </p>
      ${askForm({ date, first: today })}
    </section>
    ${departures.length === 0 ? html`<p class="note">${EMPTY}</p>` : board(data, frame)}
    ${callBox(frame.site, callsOf(data))}`;
}

function callsOf({ departures, date }: StartData): Call[] {
  return departures.slice(0, 1).map(({ origin, dest, airline, from, to }) => ({
    title: `${from} to ${to}, a week from now`,
    path: `/api/score?${new URLSearchParams({ origin, dest, airline, date })}`,
  }));
}

const EMPTY =
  'The history has no flights yet, so there are no departures to show. A flight can be scored all the same; its score says how little it rests on.';

/** Flights a week from now, as a board of departures. */
function board({ date, departures, airports, months }: StartData, { locale }: Frame) {
  return html`<section class="board" aria-labelledby="board">
    <h2 id="board">A week from now, ${day(date, locale)}</h2>
    <ul>
      ${departures.map(
        (one) =>
          html`<li>
            <a href=${flightAddress({ ...one, date })}>
              <span class="codes">${one.origin} <i>→</i> ${one.dest}</span>
              <span class="cities">${one.from} to ${one.to}</span>
              <span class="by">${withPartners(one.airline_name, one.airline)}</span>
              <span class=${`chip ${riskClass(one.score)}`}>
                ${barb(one.label)} <b>${one.score}</b> <small>${one.label}</small>
              </span>
            </a>
          </li>`,
      )}
    </ul>
    <p class="note">
      From ${airports} airports with flights on
      record${
        months.first !== null && months.last !== null
          ? `, ${month(months.first, locale)} to ${month(months.last, locale)}`
          : ''
      }.
    </p>
  </section>`;
}
