import { barb } from '../barb.ts';
import { day, hour as hourText, month } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { sellerOf, toFly } from '../partners.ts';
import { flightAddress } from './address.ts';
import { betterOf, flightOf, type Better } from './better.ts';
import { outcomesOf100 } from './figures.ts';
import type { FlightData, FullScore } from './flight-data.ts';
import { hundredFlights } from './hundred-flights.ts';
import { scoreRuler } from './score-ruler.ts';

/** The score, what it means in flights, and what would be better: all that must be seen without scrolling. */
export function answer(data: FlightData, frame: Frame) {
  const { score } = data;
  return html`<section class="answer" aria-label="The answer">
    <div class="verdict">
      <p class="score" aria-label=${`Score ${score.score} of 100, ${score.label}`}>
        <b>${score.score}</b>
        <span class="label">${barb(score.label)} ${score.label}</span>
      </p>
      ${scoreRuler(score)}
      <p class="odds">${odds(score)}</p>
      <p class="advice">${score.recommendation}</p>
      ${score.outlook === null && score.data_source !== 'no_data' && html`<p class="advice">${NO_MODEL}</p>`}
      ${score.data_source !== 'no_data' && better(data, frame)}
    </div>
    ${score.outlook && hundredFlights(score.outlook, frame)}
  </section>`;
}

const NO_MODEL =
  'No model is at hand: the score rests on the record alone, and how late is not told.';

/** What the score means, in flights; without a model, what the record alone says. */
export function odds({ outlook, stats, data_source }: FullScore): string {
  if (outlook) {
    const late = outcomesOf100(outlook)
      .filter(({ isLate }) => isLate)
      .reduce((sum, { of100 }) => sum + of100, 0);
    const flights =
      late === 0 ? 'fewer than one comes' : late === 1 ? 'about 1 comes' : `about ${late} come`;
    return `Of 100 such flights ${flights} more than 30 minutes late or not at all.`;
  }
  if (data_source === 'no_data') {
    return 'No flight on this route is on record, so there are no odds to give.';
  }
  return `Of the flights on record ${stats.delay_rate_pct} in 100 came more than 30 minutes late, and ${stats.cancel_rate_pct} in 100 not at all.`;
}

function better(data: FlightData, { locale }: Frame) {
  const found = betterOf(data);
  const { airline_info } = data.score;
  return html`<div class="better">
    <h2>What would be better</h2>
    ${
      found.length === 0 &&
      html`<p class="note">Nothing near it: no other hour, airline or day is clearly lower.</p>`
    }
    <ul>
      ${found.map(
        (one) =>
          html`<li>
            <a href=${one.address}>
              <span>${textOf(one, locale)}</span>
              <b>${one.score}</b>
              <small>${data.score.score - one.score} lower</small>
            </a>
          </li>`,
      )}
    </ul>
    ${operators(data)}
    ${
      flightOf(data).depTime === undefined &&
      html`<p class="note">
        Without a departure time the score is over the hours at which ${airline_info.name} flies the
        route.
      </p>`
    }
  </div>`;
}

/** Who else may fly those who booked the airline: each with its score, and leading to it. */
function operators(data: FlightData) {
  const flight = flightOf(data);
  const others = data.rivals.flatMap(({ airline, airline_name, score, is_current }) => {
    const seller = is_current ? sellerOf(flight.airline, airline) : undefined;
    return seller === undefined ? [] : [{ airline, name: airline_name, score, seller }];
  });
  const [first] = others;
  if (!first) return undefined;
  const before = (at: number) => (at === 0 ? '' : at === others.length - 1 ? ' or ' : ', ');
  return html`<p class="note">
    Tickets of ${first.seller} here may be for flights
    of${' '}${others.map(
      ({ airline, name, score }, at) =>
        html`${before(at)}<a href=${flightAddress({ ...flight, airline })}>${name}</a> (${score})`,
    )}:
    look for “operated by”.
  </p>`;
}

function textOf(better: Better, locale: string): string {
  if (better.kind === 'hour') return `Leave about ${hourText(better.hour, locale)}`;
  if (better.kind === 'airline') {
    const { airline, name, until } = better;
    const record = until === undefined ? '' : `, on record to ${month(until, locale, 'short')}`;
    return `${toFly(name, airline)}${record}`;
  }
  return `Go on ${day(better.date, locale, 'short')}`;
}
