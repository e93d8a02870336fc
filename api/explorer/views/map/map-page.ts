import { airlinesCall, callBox, WORKED_OUT } from '../call-box.ts';
import { hour as hourText, month as monthText, monthName } from '../format.ts';
import { html } from '../html.ts';
import { later } from '../later.ts';
import type { Frame, Page } from '../page.ts';
import { outOfHundred } from '../places/shares.ts';
import { hourCurve } from './hour-curve.ts';
import type { MapData } from './map-data.ts';
import { riskMap } from './risk-map.ts';
import { smallMultiples } from './small-multiples.ts';

/** Where it is late, hour by hour of the day. */
export const mapPage: Page<MapData> = {
  path: '/map',
  // The hour only says which of the figures are shown.
  source: ({ query }) => {
    const asked = new URLSearchParams();
    for (const name of ['month', 'airline']) {
      const value = query.get(name);
      if (value !== null && value !== '') asked.set(name, value);
    }
    return `/explorer/map${asked.size === 0 ? '' : `?${asked}`}`;
  },
  title: () => 'Where flights are late, hour by hour',
  summary: ({ hours }) =>
    `Delay builds up through the day: ${outOfHundred((hours[7] ?? 0) / 1000)} flights that leave at 7 are to be expected late or cancelled, ${outOfHundred((hours[19] ?? 0) / 1000)} of those at 19.`,
  view,
};

const EMPTY = 'There is nothing to colour yet: the history has no flights with their hours.';

/** The hour most people leave in. */
const USUAL_HOUR = 17;

function view(data: MapData, frame: Frame) {
  const asked = new URLSearchParams(frame.address.split('?')[1] ?? '');
  const hour = hourAsked(asked.get('hour'));
  const at = asked.get('at') ?? undefined;
  const share = data.hours[hour] ?? null;
  return html`<h1>Where flights are late</h1>
    <p class="lead">
      ${
        share === null
          ? `Nothing leaves at ${hourText(hour, frame.locale)}.`
          : `Of 100 flights that leave at ${hourText(hour, frame.locale)} ${outOfHundred(share / 1000).replace(' of 100', '')} are to be expected more than 30 minutes late or not at all.`
      }
    </p>
    ${filters(data, hour, frame)} ${data.airports.length === 0 && html`<p>${EMPTY}</p>`}
    <h2 class="aside">In pictures</h2>
    <div class="pictures map">
      ${later('map', () => riskMap(data, { hour, ...(at !== undefined && { at }) }, frame))}
      ${later('day', () => hourCurve(data, hour, frame))}
      ${later('airports', () => smallMultiples(data, hour, frame))}
    </div>
    <p class="note basis">${basis(data, frame)}</p>
    ${callBox(frame.site, airlinesCall(data.routes[0]), WORKED_OUT)}`;
}

function basis({ first, last, month }: MapData, { locale }: Frame): string {
  const day = month === null ? ', on an average day of the year' : '';
  return `What a score says before weather, holidays and events, from flights of ${monthText(first, locale)} to ${monthText(last, locale)} and how late airlines and airports are lately${day}. Hours are those of each airport.`;
}

/** Works as a plain form; with script each change is followed at once, and the hours can be played. */
function filters({ month, airline, airlines }: MapData, hour: number, { locale }: Frame) {
  return html`<form class="ask hours" action="/map" method="get" data-ask data-live>
    <label class="field slide">
      <span>Leaving at <output>${hourText(hour, locale)}</output></span>
      <input
        type="range"
        name="hour"
        min="0"
        max="23"
        step="1"
        value=${hour}
        aria-valuetext=${hourText(hour, locale)}
      />
    </label>
    <button type="button" class="play" data-play aria-label="Play the hours of the day">▶</button>
    <label class="field">
      <span>Month</span>
      <select name="month">
        <option value="" selected=${month === null}>All of the year</option>
        ${MONTHS.map(
          (one) =>
            html`<option value=${one} selected=${month === one}>
              ${monthName(one - 1, locale).full}
            </option>`,
        )}
      </select>
    </label>
    <label class="field">
      <span>Airline</span>
      <select name="airline">
        <option value="" selected=${airline === null}>All airlines</option>
        ${airlines.map(
          ({ iata, name }) =>
            html`<option value=${iata} selected=${airline === iata}>${name}</option>`,
        )}
      </select>
    </label>
    <noscript><button class="primary">Show</button></noscript>
  </form>`;
}

const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1);

function hourAsked(text: string | null): number {
  const hour = text === null || text === '' ? USUAL_HOUR : Number(text);
  return Number.isInteger(hour) && hour >= 0 && hour <= 23 ? hour : USUAL_HOUR;
}
