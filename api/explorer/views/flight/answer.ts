import { hourOfTime } from '../../../../warehouse/ground/hours.ts';
import { averageText, chanceLines, chanceText } from '../chance-lines.ts';
import { day, hour as hourText, month, percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { inferredMark, toInferred } from '../inferred.ts';
import { compareAddress } from '../compare/compare-data.ts';
import { alternativesAddress, flightAddress } from './address.ts';
import { chanceOf } from './chance.ts';
import { lateShare } from './figures.ts';
import { type BetterFlight, type FlightData, type FullScore, flightOf } from './flight-data.ts';
import { hundredFlights } from './hundred-flights.ts';
import { formerText, noRecord, pairsNote } from './no-record.ts';
import { recencyText } from './recency.ts';
import { scoreRuler } from './score-ruler.ts';
import { barb } from '../risk.ts';

/**
 * The part of a flight's page that must be visible without scrolling: the probability of a delay, compared with an
 * average flight, the score, and better options.
 */
export function answerSection(data: FlightData, frame: Frame) {
  const { score } = data;
  if (score.data_source === 'no_data') return noRecord(data, frame);
  return html`<section class="answer" aria-label="The answer">
    <div class="verdict">
      ${flightChance(score, frame)}
      <div class="scale">
        <p class="score" aria-label=${`Score ${score.score} of 100, ${score.label}`}>
          <span>Score</span> <b>${score.score}</b> <span>of 100</span>
          <span class="label">${barb(score.label)} ${score.label}</span>
        </p>
        ${scoreRuler(score)}
      </div>
      <p class="odds">${oddsSentence(score)}</p>
      <p class="recency">${recencyText(data, frame.locale)}</p>
      ${formerText(data, frame)}
      <p class="advice">${score.recommendation}</p>
      ${score.outlook === null && html`<p class="advice">${NO_MODEL}</p>`}
      ${betterOptions(data, frame)}
    </div>
    ${score.outlook && hundredFlights(score.outlook, frame)}
  </section>`;
}

/** Shows the probability of the flight in large letters, and next to it the probability of an average flight. */
function flightChance(score: FullScore, { locale }: Frame) {
  const chance = chanceOf(score);
  if (!chance) return undefined;
  const remarks = [
    ...(chance.interval ? [] : scoreRange(score, locale)),
    averageText(chance.average, locale),
  ];
  return chanceLines({ ...chance, remarks }, locale);
}

/** Returns the interval of the score. The page shows this interval if the probability has no interval of its own. */
function scoreRange({ interval }: FullScore, locale: string): string[] {
  if (interval === null) return [];
  const { level, low, high } = interval;
  const range = low === high ? low : `${low}–${high}`;
  return [`score likely ${range} (${percent(level, locale, 0)} interval)`];
}

/** Explains the percentage, which differs from the share in `oddsSentence`: that share covers all hours and months. */
const NO_MODEL =
  'The trained model does not cover this flight. The percentage comes from counts of past flights instead, adjusted to the time of year and, if known, the departure hour. The length of a delay is not known.';

/** Explains the score as a number of flights. Without a model, the sentence uses the record. */
export function oddsSentence({ outlook, stats, data_source }: FullScore): string {
  if (data_source === 'no_data') {
    return 'There is no delay record for this flight, so no probability can be given.';
  }
  if (outlook) {
    const late = Math.round(100 * lateShare(outlook));
    const count = late === 0 ? 'Fewer than 1' : `About ${late}`;
    const isSingular = late <= 1;
    return `${count} in 100 flights like this ${isSingular ? 'arrives' : 'arrive'} more than 30 minutes late or ${isSingular ? 'is' : 'are'} cancelled.`;
  }
  const [late, cancelled] = [stats.delay_rate_pct, stats.cancel_rate_pct].map(inHundred);
  return `In the record, ${late} in 100 flights arrived more than 30 minutes late, and ${cancelled} in 100 were cancelled.`;
}

/** Formats a percentage as a number of 100 flights: `about 11`. */
function inHundred(percentage: number): string {
  if (percentage === 0) return '0';
  const count = Math.round(percentage);
  return count === 0 ? 'fewer than 1' : `about ${count}`;
}

function betterOptions(data: FlightData, { locale }: Frame) {
  const { airline_info } = data.score;
  return html`<div class="better">
    <div class="head">
      <h2>Better options</h2>
      ${data.better.length > 0 && html`<small>late or cancelled</small>`}
    </div>
    ${
      data.better.length === 0 &&
      html`<p class="note">
        No other hour, airline, nearby day or airport has a clearly lower score.
      </p>`
    }
    <ul>
      ${data.better.map(
        (one) =>
          html`<li>
            <a href=${flightAddress(one)}>
              <span>${optionText(one, locale)}</span>
              <b>${one.share === null ? `Score ${one.score}` : chanceText(one.share, locale)}</b>
              <small>${besideText(one, data.score.score)}</small>
            </a>
          </li>`,
      )}
    </ul>
    <p class="note">
      <a href=${compareAddress([flightOf(data), ...data.better.slice(0, 3)])}
        >${data.better.length === 0 ? 'Compare with another flight' : 'Compare these flights'}</a
      >
      ${data.better.length > 0 && html` · <a href=${alternativesAddress(flightOf(data))}>All better options</a>`}
    </p>
    ${pairsNote(data)} ${operatorsNote(data, locale)}
    ${
      flightOf(data).depTime === undefined &&
      html`<p class="note">
        Without a departure time, the score covers all hours when
        ${' '}${data.score.data_source === 'exact' ? airline_info.name : 'other airlines'}
        ${' '}${data.score.data_source === 'exact' ? 'flies' : 'fly'} this route.
      </p>`
    }
  </div>`;
}

/**
 * Formats the text beside an option's probability: `score 28`. If the probability is unknown, the option shows its
 * score instead, and this text is `23 points lower`.
 */
function besideText({ score, share }: BetterFlight, own: number): string {
  return share === null ? `${own - score} points lower` : `score ${score}`;
}

/** Names the airlines that may operate the flight for the airline on the ticket, with links to their scores. */
function operatorsNote(data: FlightData, locale: string) {
  const flight = flightOf(data);
  const { airline_info, operators } = data.score;
  const own = data.rivals.find(({ airline }) => airline === flight.airline);
  const partners = operators.filter(
    ({ airline }) =>
      airline !== flight.airline && own?.operators.some((one) => one.airline === airline),
  );
  if (partners.length === 0) return undefined;
  const separator = (at: number) => (at === 0 ? '' : at === partners.length - 1 ? ' or ' : ', ');
  return html`<p class="note">
    On this route, ${airline_info.name} tickets may be for flights operated
    by${' '}${partners.map(
      ({ airline, airline_name, score }, at) =>
        html`${separator(at)}<a href=${flightAddress({ ...flight, airline })}>${airline_name}</a>
          ${' '}(score ${score})`,
    )}.
    Look for “operated by” on your ticket.
    ${' '}${inferredMark(toInferred(data.score.lineage.brand), locale)}
  </p>`;
}

/** Describes the change to a better flight: `Depart around 07:00`. */
export function optionText(better: BetterFlight, locale: string): string {
  const { origin, dest, airline_name, date, depTime, record } = better;
  if (better.change === 'hour' && depTime !== undefined) {
    return `Depart around ${hourText(hourOfTime(depTime), locale)}`;
  }
  if (better.change === 'day') return `Fly on ${day(date, locale, 'short')}`;
  if (better.change === 'airports') return `Fly ${origin}–${dest} with ${airline_name}`;
  const until = record ? `, on record until ${month(record.last, locale, 'short')}` : '';
  return `Fly ${airline_name}${until}`;
}
