import type { AlternativesBody } from '../../../schemas/alternatives.ts';
import { callBox } from '../call-box.ts';
import { compareAddress } from '../compare/compare-data.ts';
import { clock, day, figure, percent } from '../format.ts';
import { html } from '../html.ts';
import { inferredLegend, inferredMark, toInferred } from '../inferred.ts';
import type { Frame, Page } from '../page.ts';
import { riskChip, riskText } from '../risk-chip.ts';
import { alternativesAddress, flightAddress, flightSource, type Flight } from './address.ts';
import type { AlternativesData } from './alternatives-data.ts';

/** The page of all flights that could replace a flight and have a clearly lower score. */
export const alternativesPage: Page<AlternativesData> = {
  path: '/flights/:flight/alternatives',
  source: ({ params, query }) =>
    flightSource(params['flight'] ?? '', query.get('dep_time')).replace(
      '/explorer/flight',
      '/explorer/alternatives',
    ),
  canonical: ({ answer }) => alternativesAddress(flightOfRow(answer.flight)),
  title: ({ from, to, answer }) =>
    `${from} to ${to}: better options than ${answer.flight.airline} on ${answer.flight.flight_date}`,
  summary: ({ answer }) =>
    `${answer.better} of ${answer.considered} compared flights have a clearly lower score.`,
  view,
};

type Row = Pick<
  AlternativesBody['flight'],
  'origin' | 'destination' | 'airline' | 'flight_date' | 'dep_time'
>;

function flightOfRow({ origin, destination, airline, flight_date, dep_time }: Row): Flight {
  return { origin, dest: destination, airline, date: flight_date, depTime: dep_time ?? undefined };
}

function view({ from, to, limit, answer, shares }: AlternativesData, frame: Frame) {
  const markOf = ({ brand }: Pick<AlternativesBody['flight'], 'brand'>) =>
    inferredMark(toInferred(brand), frame.locale);
  const { flight, alternatives, better } = answer;
  const [ownShare = null, ...otherShares] = shares;
  const { locale, site } = frame;
  const own = flightOfRow(flight);
  const legend = inferredLegend([flight, ...alternatives]);
  return html`<h1>
      ${`${from} to ${to}: better options`}
      <small>
        ${`Your flight: ${flight.airline_name}, ${whenOf(flight, locale)}, ${riskText({ share: ownShare, score: flight.score }, locale)}`}
        ${markOf(flight)}
      </small>
    </h1>
    <p class="lead">${leadOf(answer, locale)}</p>
    <p class="tocall">
      <a href=${flightAddress(own)}>Back to the flight</a>
      ${
        alternatives.length > 0 &&
        html`<a href=${compareAddress([own, ...alternatives.slice(0, 3).map(flightOfRow)])}
          >Compare the best three</a
        >`
      }
    </p>
    ${
      alternatives.length > 0 &&
      html`<section class="board options" aria-label="Better options">
        <ul>
          ${alternatives.map(
            (one, at) =>
              html`<li>
                <a href=${flightAddress(flightOfRow(one))}>
                  <span class="codes">${one.origin} <i>→</i> ${one.destination}</span>
                  <span class="cities">${whenOf(one, locale)}</span>
                  <span class="by">${one.airline_name} ${markOf(one)}</span>
                  ${riskChip({ score: one.score, share: otherShares[at] ?? null, remark: chipRemark(one, otherShares[at] ?? null) }, locale)}
                </a>
              </li>`,
          )}
        </ul>
        <p class="note">
          ${better > alternatives.length && `The best ${alternatives.length} of ${better}. `}Each
          option changes one thing: hour, airline, day or airports. The percentage is the chance of
          arriving more than 30 minutes late or of being cancelled.
        </p>
      </section>`
    }
    ${legend !== '' && html`<p class="note">${legend}</p>`} ${callBox(site, [callOf(own, limit)])}`;
}

/**
 * Returns the text beside an option's percentage: `score 28, 23 points lower`. Without a percentage, returns `23 points
 * lower`.
 */
function chipRemark({ score, saved }: { score: number; saved: number }, share: number | null) {
  return share === null ? `${saved} points lower` : `score ${score}, ${saved} points lower`;
}

function leadOf({ flight, better, considered }: AlternativesBody, locale: string): string {
  const compared = figure(considered, locale);
  if (flight.interval === null) {
    return 'This flight has no delay record, so it cannot be compared with others.';
  }
  return better === 0
    ? `None of the ${compared} compared flights has a clearly lower score.`
    : `${figure(better, locale)} of ${compared} compared flights are clearly better. Your flight scores ${flight.score} (${percent(flight.interval.level, locale, 0)} interval: ${flight.interval.low} to ${flight.interval.high}). A clearly better flight scores below this interval, and at least 3 points below ${flight.score}.`;
}

function whenOf({ flight_date, dep_time }: Row, locale: string): string {
  const time = dep_time === null ? 'any time' : clock(dep_time, locale);
  return `${day(flight_date, locale, 'short')}, ${time}`;
}

function callOf({ origin, dest, airline, date, depTime }: Flight, limit: number) {
  const time = depTime === undefined ? undefined : { dep_time: depTime };
  const query = new URLSearchParams({ origin, dest, airline, date, ...time });
  return { title: 'These options', path: `/api/alternatives?${query}&limit=${limit}` };
}
