import { airlinesCall, callBox, DERIVED_NOTE } from '../call-box.ts';
import { spanText } from '../format.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { inferredNote } from '../inferred.ts';
import { fliesFor } from '../operators.ts';
import { airlineAddress } from './addresses.ts';
import { countryFigures, countryList } from './country-list.ts';
import type { ComparedItem, RankingData } from './places-data.ts';
import { DOTS_NOTE, ratedList } from './rated-list.ts';
import { isClearlyDifferent } from './shares.ts';

const shared = {
  title,
  summary: ({ of: subject }: RankingData) => LEADS[subject],
  view,
};

/** The ranking of all airlines. Each airline is compared with other airlines on the same routes. */
export const airlinesPage: Page<RankingData> = {
  path: '/airlines',
  source: sourceOf('airlines'),
  ...shared,
};

/**
 * The ranking of all airports. Each airport is compared with other airports that have flights to the same destinations.
 */
export const airportsPage: Page<RankingData> = {
  path: '/airports',
  source: sourceOf('airports'),
  ...shared,
};

/** Returns the address of the data of one country, or of the largest record. */
function sourceOf(subject: RankingData['of']): Page<RankingData>['source'] {
  return ({ query }) => {
    const country = query.get('country');
    return `/explorer/ranking?${new URLSearchParams({ of: subject, ...(country !== null && { country }) })}`;
  };
}

/** `Airports compared fairly: Hong Kong`. */
function title({ of: subject, country }: RankingData): string {
  const name = subject === 'airlines' ? 'Airlines' : 'Airports';
  return country ? `${name}, compared fairly: ${country.name}` : `${name}, compared fairly`;
}

const EMPTY =
  'There is nothing to compare yet: the history has no flights with departure hours. You can still score a flight.';

const NOT_COMPARED = {
  airlines:
    'None of these airlines can be compared. A comparison needs hours of departure, and other airlines on the same routes.',
  airports:
    'None of these airports can be compared. A comparison needs hours of departure, and flights of the same airlines to the same destinations from other airports.',
};

const LEADS = {
  airlines:
    'How often each airline’s flights are late, compared with other airlines. Flights are compared only with flights on the same route, in the same month and at the same hours.',
  airports:
    'How often departures are late, compared with other airports. Flights are compared only with flights of the same airline to the same destination, in the same month and at the same hours.',
};

/** Number of items drawn from each end of a long list. The list below the picture has all items. */
const ITEMS_PER_END = 18;
/** Number of items in the list below that are visible at first: one or two screens on a phone. */
const INDEX_SIZE = 24;

function view(data: RankingData, frame: Frame) {
  const { of: subject, rated, span, busiest, operators, country } = data;
  const isLong = rated.length > 2 * ITEMS_PER_END;
  const clearlyDifferent = rated.filter(isClearlyDifferent);
  return html`<h1>${title(data)}</h1>
    <p class="lead">${LEADS[subject]}</p>
    <p class="note">
      ${
        rated.length > 0 &&
        `${clearlyDifferent.length} of ${rated.length} ${subject} are clearly better or worse than average. Evening flights are late more often, so plain averages would be unfair to ${subject} with many evening flights.`
      }
      ${` History: ${spanText(span, frame.locale)}. `}<a href="#by-country">By country</a>
    </p>
    ${rated.length === 0 && html`<p>${country ? NOT_COMPARED[subject] : EMPTY}</p>`}
    <h2 class="aside">In pictures</h2>
    <div class=${`pictures ${isLong ? 'ends' : ''}`}>
      ${
        isLong
          ? html`${ratedList({ id: 'best', title: `The ${ITEMS_PER_END} best`, note: DOTS_NOTE, rated: rated.slice(0, ITEMS_PER_END) }, frame)}
            ${ratedList({ id: 'worst', title: `The ${ITEMS_PER_END} worst`, note: DOTS_NOTE, rated: rated.slice(-ITEMS_PER_END).toReversed() }, frame)}`
          : ratedList(
              {
                id: 'all',
                title: 'Most punctual first',
                note: `${DOTS_NOTE}${inferredNote(rated)}`,
                rated,
                isAlone: true,
              },
              frame,
            )
      }
      ${isLong && index(subject, rated)}
    </div>
    ${country && countryFigures(data, frame)} ${partners(operators)} ${countryList(data, frame)}
    ${callBox(frame.site, airlinesCall(busiest ?? undefined), DERIVED_NOTE)}`;
}

/** A list of the airlines that operate flights for others, with the airlines on the tickets. */
function partners(operators: RankingData['operators']) {
  if (operators.length === 0) return undefined;
  return html`<section class="index partners" aria-label="Airlines that fly for others">
    <h2>Airlines that fly for others</h2>
    <p class="note">
      These airlines operate flights for other airlines. The comparison above counts such a flight
      for the airline on the ticket.
    </p>
    <ul>
      ${operators.map(
        ({ code, name, sellers }) =>
          html`<li>
            <a href=${airlineAddress(code)}>${name}</a> <span>${fliesFor(sellers)}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

/**
 * The busiest items, followed by a folded list of all items. The folded list opens for printing and for the browser's
 * search.
 */
function index(subject: RankingData['of'], rated: readonly ComparedItem[]) {
  const title = `The ${INDEX_SIZE} busiest`;
  return html`<section class="index" aria-label=${title}>
    <h2>${title}</h2>
    ${names(rated.toSorted((a, b) => b.flights - a.flights).slice(0, INDEX_SIZE))}
    <details>
      <summary>All ${rated.length} ${subject}</summary>
      ${names(rated.toSorted((a, b) => (a.name < b.name ? -1 : 1)))}
    </details>
  </section>`;
}

function names(rated: readonly ComparedItem[]) {
  return html`<ul>
    ${rated.map(
      ({ name, address, ratio }) =>
        html`<li><a href=${address}>${name}</a> <span>×${ratio.toFixed(2)}</span></li>`,
    )}
  </ul>`;
}
