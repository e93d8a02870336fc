import { airlinesCall, callBox, DERIVED_NOTE } from '../call-box.ts';
import { hour as hourText, month as monthText, monthName } from '../format.ts';
import { html } from '../html.ts';
import { inferredText } from '../inferred.ts';
import { drawLater } from '../deferred-drawing.ts';
import type { Frame, Page } from '../page.ts';
import { outOfHundred } from '../places/shares.ts';
import { hourCurve } from './hour-curve.ts';
import type { MapData } from './map-data.ts';
import { mapAddress, readMapView, type MapState } from './map-view.ts';
import { riskMap } from './risk-map.ts';
import { smallMultiples } from './small-multiples.ts';

/** The page with a map of expected delays in each hour of the day. */
export const mapPage: Page<MapData> = {
  path: '/map',
  // The hour is not sent to the server, because the data contain all hours.
  source: ({ query }) => {
    const params = new URLSearchParams();
    for (const name of ['region', 'month', 'airline']) {
      const value = query.get(name);
      if (value !== null && value !== '') params.set(name, value);
    }
    return `/explorer/map${params.size === 0 ? '' : `?${params}`}`;
  },
  title: () => 'Where flights are late, hour by hour',
  summary: ({ hours }) =>
    `Expected late or cancelled: ${outOfHundred((hours[7] ?? 0) / 1000)} flights that leave at 7:00, ${outOfHundred((hours[19] ?? 0) / 1000)} at 19:00.`,
  view,
};

const EMPTY = 'There is nothing to show yet: the history has no flights with departure hours.';

/** Explains why the map has no airports. */
function emptyText({ region, airline, airlines }: MapData): string {
  if (region !== 'us' || airlines.length === 0) return EMPTY;
  const name = airlines.find(({ iata }) => iata === airline)?.name ?? airline;
  return `The history has no departures${name === null ? '' : ` of ${name}`} from the United States.`;
}

/** Hour that the map shows at first: a busy hour. */
const DEFAULT_HOUR = 17;

function view(data: MapData, frame: Frame) {
  const query = new URLSearchParams(frame.address.split('?')[1] ?? '');
  const hour = readHour(query.get('hour'));
  const { month, airline } = data;
  const at = query.get('at');
  const state: MapState = {
    region: data.region,
    hour,
    month,
    airline,
    view: readMapView(query, data),
    ...(at !== null && { at }),
  };
  const share = data.hours[hour] ?? null;
  return html`<h1>Where flights are late</h1>
    <p class="lead">
      ${
        share === null
          ? `No flights leave at ${hourText(hour, frame.locale)}.`
          : `Expect ${outOfHundred(share / 1000)} flights leaving at ${hourText(hour, frame.locale)} to be more than 30 minutes late or cancelled.`
      }
    </p>
    ${(data.has_us || data.region === 'us') && regionLinks(state)} ${filters(data, state, frame)}
    ${data.airports.length === 0 && html`<p>${emptyText(data)}</p>`}
    <h2 class="aside">In pictures</h2>
    <div class="pictures map">
      ${drawLater('map', () => riskMap(data, state, frame))}
      ${drawLater('day', () => hourCurve(data, state, frame))}
      ${drawLater('airports', () => smallMultiples(data, hour, frame))}
    </div>
    <p class="note basis">
      ${basisText(data, frame)}${data.inferred && ` ${inferredText(data.inferred, frame.locale)}`}
    </p>
    ${callBox(frame.site, airlinesCall(data.routes[0]), DERIVED_NOTE)}`;
}

/** Links to the map of the world and to the map of the United States. */
function regionLinks(state: MapState) {
  const whole = { zoom: 1, x: 0, y: 0 };
  return html`<nav class="regions" aria-label="Map">
    ${REGIONS.map(
      ([region, name]) =>
        html`<a
          href=${mapAddress({ ...state, region, view: whole })}
          aria-current=${region === state.region ? 'true' : undefined}
          >${name}</a
        >`,
    )}
  </nav>`;
}

const REGIONS = [
  ['world', 'World'],
  ['us', 'United States'],
] as const;

function basisText({ first, last, month }: MapData, { locale }: Frame) {
  const day = month === null ? 'The map shows an average day of the year. It' : 'The map';
  return html`${`${day} leaves out weather, holidays and events. Hours are local to each airport. The flights are from ${monthText(first, locale)} to ${monthText(last, locale)}. The months on record differ by country. `}
    <a href="/coverage">Months by country</a>`;
}

/** The form of the map. It works without script. With script, changes apply immediately and the hours can be played. */
function filters(
  { month, airline, airlines }: MapData,
  { region, hour, view }: MapState,
  { locale }: Frame,
) {
  const option = ({ iata, name }: MapData['airlines'][number]) =>
    html`<option value=${iata} selected=${airline === iata}>${name}</option>`;
  return html`<form class="ask hours" action="/map" method="get" data-ask data-live>
    ${region !== 'world' && html`<input type="hidden" name="region" value=${region} />`}
    ${
      view.zoom > 1 &&
      html`<input type="hidden" name="zoom" value=${view.zoom} />
        <input type="hidden" name="center" value=${`${view.x},${view.y}`} />`
    }
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
        <option value="" selected=${month === null}>Whole year</option>
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
        ${airlines.filter(({ is_partner }) => !is_partner).map(option)}
        ${
          airlines.some(({ is_partner }) => is_partner) &&
          html`<optgroup label="Operate flights for others">
            ${airlines.filter(({ is_partner }) => is_partner).map(option)}
          </optgroup>`
        }
      </select>
    </label>
    <noscript><button class="primary">Show</button></noscript>
  </form>`;
}

const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1);

function readHour(text: string | null): number {
  const hour = text === null || text === '' ? DEFAULT_HOUR : Number(text);
  return Number.isInteger(hour) && hour >= 0 && hour <= 23 ? hour : DEFAULT_HOUR;
}
