import { riskLabel } from '../../../../models/label.ts';
import { barb } from '../barb.ts';
import { factList } from '../facts.ts';
import { html, type Content } from '../html.ts';
import type { Risk } from './places-data.ts';
import { outOfHundred } from './shares.ts';

export type PlaceAnswer = {
  usual: Risk | null;
  /** Whose risk it is, `departures`. */
  whose: string;
  /** What else is to be told beside it, a paragraph each. */
  told: Content[];
  /** Figures of the record: a name and what it is. */
  facts: [string, Content][];
};

/** What is to be expected of a place now, in one look, and what it rests on. */
export function placeAnswer({ usual, whose, told, facts }: PlaceAnswer) {
  return html`<section class="answer place" aria-label="At a glance">
    <div class="verdict">
      ${
        usual
          ? html`<p
                class="score"
                aria-label=${`Risk ${usual.score} of 100, ${riskLabel(usual.score)}`}
              >
                <b>${usual.score}</b>
                <span class="label">${barb(riskLabel(usual.score))} ${riskLabel(usual.score)}</span>
              </p>
              <p class="odds">
                Now ${outOfHundred(usual.share)} ${whose} are to be expected more than 30 minutes
                late or not at all.
              </p>`
          : html`<p class="odds">
              The history has no ${whose} with their hours, so nothing is to be expected from it.
            </p>`
      }
      ${told.map((one) => html`<p class="advice">${one}</p>`)}
    </div>
    ${factList(facts)}
  </section>`;
}
