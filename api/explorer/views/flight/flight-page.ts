import { askForm } from '../ask-form.ts';
import { callBox } from '../call-box.ts';
import { clock, day } from '../format.ts';
import { html } from '../html.ts';
import { later } from '../later.ts';
import type { Frame, Page } from '../page.ts';
import { withPartners } from '../partners.ts';
import { airlineAddress, airportAddress, routeAddress } from '../places/addresses.ts';
import { flightAddress, flightSource } from './address.ts';
import { answer, odds } from './answer.ts';
import { basis } from './basis.ts';
import { flightOf } from './better.ts';
import { newsList, weatherCards } from './ends.ts';
import type { FlightData } from './flight-data.ts';
import { hourBars } from './hour-bars.ts';
import { monthCalendar } from './month-calendar.ts';
import { rivalBars } from './rival-bars.ts';
import { waterfall } from './waterfall.ts';

const shown = {
  title: ({ score }: FlightData) => {
    const { origin, destination, airline, flight_date, dep_time } = score.input;
    const time = dep_time === undefined ? '' : ` ${dep_time}`;
    return `${origin}–${destination} ${airline} ${flight_date}${time}: ${score.score}, ${score.label}`;
  },
  summary: ({ score }: FlightData) => `${odds(score)} ${score.recommendation}`,
  canonical: (data: FlightData) => flightAddress(flightOf(data)),
  view,
};

/** A flight, by the one address it has. */
export const flightPage: Page<FlightData> = {
  path: '/flights/:flight',
  source: ({ params, query }) => flightSource(params['flight'] ?? '', query.get('dep_time')),
  ...shown,
};

/** A flight as a form names it; leads on to its own address. */
export const namedFlightPage: Page<FlightData> = {
  path: '/flights',
  source: ({ query }) => `/explorer/flight?${query}`,
  ...shown,
};

function view(data: FlightData, frame: Frame) {
  const { score, rivals, months, last } = data;
  const { origin_info, dest_info, airline_info, input } = score;
  const flight = flightOf(data);
  const time = input.dep_time === undefined ? '' : `, ${clock(input.dep_time, frame.locale)}`;
  return html`<h1 class="flight">
      ${`${origin_info.city || input.origin} to ${dest_info.city || input.destination}`}
      <small
        >${`${withPartners(airline_info.name, input.airline)}, ${day(input.flight_date, frame.locale)}${time}`}</small
      >
    </h1>
    ${askForm({
      ...flight,
      depTime: flight.depTime ?? '',
      originName: origin_info.city || origin_info.name,
      destName: dest_info.city || dest_info.name,
      airlineName: airline_info.name,
      first: data.today,
      last,
      airlines: rivals
        .filter(({ is_current }) => is_current)
        .map(({ airline, airline_name, score }) => [airline, airline_name, score]),
    })}
    ${answer(data, frame)}
    <p class="tocall">
      <a href=${routeAddress(input.origin, input.destination)}>This route</a>
      <a href=${airportAddress(input.origin)}>${origin_info.city || input.origin}</a>
      <a href=${airportAddress(input.destination)}>${dest_info.city || input.destination}</a>
      <a href=${airlineAddress(input.airline)}>${airline_info.name}</a>
    </p>
    <div class="pictures flight-pictures">
      ${later('hours', () => hourBars(data, frame))}
      ${later('contributions', () => waterfall(data, frame))}
      ${months.map((month, at) => later(`month-${at}`, () => monthCalendar(data, month, frame)))}
      ${later('airlines', () => rivalBars(data, frame))}
      <div class="stack">${weatherCards(data, frame)} ${newsList(data, frame)}</div>
      ${basis(data, frame)}
    </div>
    ${later('calls', () => callBox(frame.site, callsOf(data)))}`;
}

/** The calls the page is made of. */
export function callsOf({ score, months }: FlightData) {
  const { origin, destination, airline, flight_date, dep_time } = score.input;
  const route = { origin, dest: destination };
  const time = dep_time === undefined ? undefined : { dep_time };
  const include = 'lineage,outlook,interval,by_hour,blend';
  return [
    {
      title: 'This flight',
      path: `/api/score?${new URLSearchParams({ ...route, airline, date: flight_date, ...time, news: 'true', include })}`,
    },
    ...months.map(({ month }) => ({
      title: `The calendar of ${month}`,
      path: `/api/calendar?${new URLSearchParams({ ...route, airline, month, ...time })}`,
    })),
    {
      title: 'The airlines of the route, today',
      path: `/api/airlines?${new URLSearchParams({ ...route, include: 'record' })}`,
    },
  ];
}
