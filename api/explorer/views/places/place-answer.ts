import { riskLabel } from '../../../../models/label.ts';
import { chanceLines, chanceText } from '../chance-lines.ts';
import { factList } from '../facts.ts';
import { html, type Content } from '../html.ts';
import type { Card, Frame } from '../page.ts';
import type { Risk } from './places-data.ts';
import { outOfHundred } from './shares.ts';
import { barb } from '../risk.ts';

export type PlaceAnswer = {
  usual: Risk | null;
  /** Describes the flights: `departures from JFK`. */
  flightsName: string;
  /** Share of late flights in the record, for places without a risk figure. */
  recordShare?: number | null;
  /** Explains why there is no risk figure. By default, the text says that the hours of the flights are unknown. */
  noRiskText?: string | undefined;
  /** Further paragraphs. */
  paragraphs: Content[];
  /** Figures from the record: names and values. */
  facts: [string, Content][];
};

/** Returns the texts of the preview image for a place. */
export function placeCard(title: string, subtitle: string, usual: Risk | null): Card {
  return usual
    ? {
        ...{ title, subtitle, score: usual.score },
        figure: chanceText(usual.share, 'en-GB'),
        ...{ caption: 'late or cancelled', note: 'average over a year' },
      }
    : { title, subtitle, figure: '?', caption: 'no delay record', note: '' };
}

/** Shows the expected risk of a place, and the record that the risk is based on. */
export function placeAnswer(
  { usual, flightsName, recordShare, noRiskText, paragraphs, facts }: PlaceAnswer,
  { locale }: Frame,
) {
  return html`<section class="answer place" aria-label="At a glance">
    <div class="verdict">
      ${
        usual
          ? html`${chanceLines({ share: usual.share, remarks: ['average over a year'] }, locale)}
              <p
                class="score"
                aria-label=${`Score ${usual.score} of 100, ${riskLabel(usual.score)}`}
              >
                <span>Score</span> <b>${usual.score}</b>
                <span class="label">${barb(riskLabel(usual.score))} ${riskLabel(usual.score)}</span>
              </p>
              <p class="odds">
                Over a year, expect ${outOfHundred(usual.share)} ${flightsName} to be more than 30
                minutes late or cancelled.
              </p>`
          : html`<p class="odds">${noRiskText ?? unknownHoursText(flightsName, recordShare)}</p>`
      }
      ${paragraphs.map((one) => html`<p class="advice">${one}</p>`)}
    </div>
    ${factList(facts)}
  </section>`;
}

function unknownHoursText(flightsName: string, recordShare: number | null | undefined): string {
  if (recordShare === null || recordShare === undefined) {
    return `The history has no ${flightsName}, so no risk can be given.`;
  }
  return `In the record, ${outOfHundred(recordShare)} ${flightsName} arrived more than 30 minutes late. Their departure hours are unknown, so no risk can be given for today.`;
}
