import { airlinesCall, callBox, WORKED_OUT } from '../call-box.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { partnersNote } from '../partners.ts';
import { recordOf } from './spans.ts';
import type { Rated, RankingData } from './places-data.ts';
import { DOTS, ratedList } from './rated-list.ts';
import { isClear } from './shares.ts';

const shown = {
  title: ({ of }: RankingData) =>
    of === 'airlines' ? 'Airlines, compared fairly' : 'Airports, compared fairly',
  summary: ({ of }: RankingData) => LEADS[of],
  view,
};

/** Every airline against the others on its routes. */
export const airlinesPage: Page<RankingData> = {
  path: '/airlines',
  source: () => '/explorer/ranking?of=airlines',
  ...shown,
};

/** Every airport against others to the same airports. */
export const airportsPage: Page<RankingData> = {
  path: '/airports',
  source: () => '/explorer/ranking?of=airports',
  ...shown,
};

const EMPTY =
  'There is nothing to compare yet: the history has no flights with their hours. A flight can be scored all the same.';

const LEADS = {
  airlines:
    'How many times as often the flights of an airline come late as those of others on the same routes, in the same month and the same hours.',
  airports:
    'How many times as often flights from an airport come late as flights of the same airlines to the same airports from elsewhere, in the same month and hours.',
};

/** So many at either end of a long list are drawn; all of them are in the list below. */
const EACH_END = 18;
/** So many of those with most flights stand open in a long list, on a phone a screen or two. */
const MOST = 24;

function view({ of, rated, span, busiest }: RankingData, frame: Frame) {
  const isLong = rated.length > 2 * EACH_END;
  const clear = rated.filter(isClear);
  return html`<h1>${of === 'airlines' ? 'Airlines' : 'Airports'}, compared fairly</h1>
    <p class="lead">${LEADS[of]}</p>
    <p class="note">
      ${clear.length} of ${rated.length} differ from their like by more than chance explains.
      Averages alone would blame whoever flies to New York in the evening.
      ${` The whole history: ${recordOf(span, frame.locale)}.`}
    </p>
    ${rated.length === 0 && html`<p>${EMPTY}</p>`}
    <h2 class="aside">In pictures</h2>
    <div class=${`pictures ${isLong ? 'ends' : ''}`}>
      ${
        isLong
          ? html`${ratedList({ id: 'best', title: `The ${EACH_END} best`, note: DOTS, rated: rated.slice(0, EACH_END) }, frame)}
            ${ratedList({ id: 'worst', title: `The ${EACH_END} worst`, note: DOTS, rated: rated.slice(-EACH_END).toReversed() }, frame)}`
          : ratedList(
              { id: 'all', title: 'The least late first', note: DOTS, rated, isAlone: true },
              frame,
            )
      }
      ${isLong && index(of, rated)}
    </div>
    ${of === 'airlines' && html`<p class="note">${partnersNote(rated)}</p>`}
    ${callBox(frame.site, airlinesCall(busiest ?? undefined), WORKED_OUT)}`;
}

/** Those with most flights, and all of them folded: a browser that looks for a name unfolds it, and paper has it open. */
function index(of: RankingData['of'], rated: readonly Rated[]) {
  const title = `The ${MOST} with most flights`;
  return html`<section class="index" aria-label=${title}>
    <h2>${title}</h2>
    ${names(rated.toSorted((a, b) => b.flights - a.flights).slice(0, MOST))}
    <details>
      <summary>All ${rated.length} ${of}</summary>
      ${names(rated.toSorted((a, b) => (a.name < b.name ? -1 : 1)))}
    </details>
  </section>`;
}

function names(rated: readonly Rated[]) {
  return html`<ul>
    ${rated.map(
      ({ name, address, ratio }) =>
        html`<li><a href=${address}>${name}</a> <span>×${ratio.toFixed(2)}</span></li>`,
    )}
  </ul>`;
}
