import { flightForm } from '../flight-form.ts';
import { callBox } from '../call-box.ts';
import { chanceText } from '../chance-lines.ts';
import { clock, day } from '../format.ts';
import { html } from '../html.ts';
import { drawLater } from '../deferred-drawing.ts';
import type { Card, Frame, Page } from '../page.ts';
import { shareBox } from '../share-box.ts';
import { inferredMark, toInferred } from '../inferred.ts';
import { fliesFor } from '../operators.ts';
import { airlineAddress, airportAddress, routeAddress, todayAddress } from '../places/addresses.ts';
import { tripFromAddress } from '../trips/trip-data.ts';
import { flightAddress, flightSource } from './address.ts';
import { answerSection, oddsSentence } from './answer.ts';
import { basisSection } from './basis.ts';
import { chanceOf } from './chance.ts';
import { newsList, weatherCards } from './ends.ts';
import { type FlightData, type FullScore, flightOf } from './flight-data.ts';
import { hourBars } from './hour-bars.ts';
import { monthCalendar } from './month-calendar.ts';
import { rivalBars } from './rival-bars.ts';
import { watchBox } from './watch-box.ts';
import { waterfall } from './waterfall.ts';

const shared = {
  title: ({ score }: FlightData) => {
    const { origin, destination, airline, flight_date, dep_time } = score.input;
    const time = dep_time === undefined ? '' : ` ${dep_time}`;
    return `${origin}–${destination} ${airline} ${flight_date}${time}: ${shortAnswer(score)}`;
  },
  summary: ({ score }: FlightData) => `${oddsSentence(score)} ${score.recommendation}`,
  canonical: (data: FlightData) => flightAddress(flightOf(data)),
  card: cardOf,
  view,
};

function cardOf({ score }: FlightData): Card {
  const { origin_info, dest_info, airline_info, input } = score;
  const chance = chanceOf(score);
  const time = input.dep_time === undefined ? '' : `, ${input.dep_time}`;
  const isUnknown = score.data_source === 'no_data';
  return {
    title: `${origin_info.city || input.origin} to ${dest_info.city || input.destination}`,
    subtitle: `${airline_info.name}, ${day(input.flight_date, 'en-GB')}${time}`,
    ...(chance
      ? {
          figure: chanceText(chance.share, 'en-GB'),
          caption: 'late or cancelled',
          note: `average flight ${chanceText(chance.average, 'en-GB')}`,
        }
      : {
          figure: isUnknown ? '?' : String(score.score),
          caption: isUnknown ? 'no delay record' : `score of 100, ${score.label}`,
          note: '',
        }),
    ...(!isUnknown && { score: score.score }),
  };
}

/** Formats `17% late or cancelled, average flight 14%`. If no probability is known, shows the score. */
function shortAnswer(score: FullScore): string {
  if (score.data_source === 'no_data') return 'no delay record';
  const chance = chanceOf(score);
  if (!chance) return `score ${score.score}, ${score.label}`;
  const [own, average] = [chance.share, chance.average].map((one) => chanceText(one, 'en-GB'));
  return `${own} late or cancelled, average flight ${average}`;
}

/** The page of a flight at its canonical address. */
export const flightPage: Page<FlightData> = {
  path: '/flights/:flight',
  source: ({ params, query }) => flightSource(params['flight'] ?? '', query.get('dep_time')),
  ...shared,
};

/** The page of a flight that a form submitted. Redirects to the canonical address. */
export const namedFlightPage: Page<FlightData> = {
  path: '/flights',
  source: ({ query }) => `/explorer/flight?${query}`,
  ...shared,
};

function view(data: FlightData, frame: Frame) {
  const { score, rivals, last } = data;
  const hasRecord = score.data_source !== 'no_data';
  const { origin_info, dest_info, airline_info, input } = score;
  const flight = flightOf(data);
  const time = input.dep_time === undefined ? '' : `, ${clock(input.dep_time, frame.locale)}`;
  return html`<h1 class="flight">
      ${`${origin_info.city || input.origin} to ${dest_info.city || input.destination}`}
      <small
        >${[airline_info.name, fliesFor(data.sellers)].filter(Boolean).join(', which ')}
        ${' '}${inferredMark(toInferred(score.lineage.brand), frame.locale)}
        ${` on ${day(input.flight_date, frame.locale)}${time}`}</small
      >
    </h1>
    ${flightForm({
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
    ${answerSection(data, frame)}
    <p class="tocall">
      <a href=${routeAddress(input.origin, input.destination)}>This route</a>
      <a href=${airportAddress(input.origin)}>${origin_info.city || input.origin}</a>
      <a href=${airportAddress(input.destination)}>${dest_info.city || input.destination}</a>
      <a href=${airlineAddress(input.airline)}>${airline_info.name}</a>
      <a href=${tripFromAddress(flight)}>Trip with a connection</a>
      ${flight.date === data.today && html`<a href=${todayAddress(flight.origin)}>Today at ${flight.origin}</a>`}
    </p>
    ${shareBox(frame.site, shared.title(data), `/embed${flightAddress(flight)}`, watchBox(flight, frame.site))}
    <div class="pictures flight-pictures">
      ${hasRecord && coloredPictures(data, frame)}
      <div class="stack">${weatherCards(data, frame)} ${newsList(data, frame)}</div>
      ${basisSection(data, frame)}
    </div>
    ${drawLater('calls', () => callBox(frame.site, callsOf(data)))}`;
}

/**
 * The pictures with risk colours. A flight without a record has no such pictures, because colours would suggest
 * knowledge.
 */
function coloredPictures(data: FlightData, frame: Frame) {
  return html`${drawLater('hours', () => hourBars(data, frame))}
  ${drawLater('contributions', () => waterfall(data, frame))}
  ${data.months.map((month, at) => drawLater(`month-${at}`, () => monthCalendar(data, month, frame)))}
  ${drawLater('airlines', () => rivalBars(data, frame))}`;
}

/** Returns the API calls behind the page. */
export function callsOf({ score, months }: FlightData) {
  const { origin, destination, airline, flight_date, dep_time } = score.input;
  const route = { origin, dest: destination };
  const time = dep_time === undefined ? undefined : { dep_time };
  const include = 'lineage,outlook,interval,by_hour,blend,drivers,operators';
  return [
    {
      title: 'This flight',
      path: `/api/score?${new URLSearchParams({ ...route, airline, date: flight_date, ...time, news: 'true', include })}`,
    },
    ...months.map(({ month }) => ({
      title: `Calendar of ${month}`,
      path: `/api/calendar?${new URLSearchParams({ ...route, airline, month, ...time })}`,
    })),
    {
      title: 'Airlines on this route, today',
      path: `/api/airlines?${new URLSearchParams({ ...route, include: 'record' })}`,
    },
  ];
}
