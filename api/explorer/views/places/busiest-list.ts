import { riskLabel } from '../../../../models/label.ts';
import type { InferredBody } from '../brands-data.ts';
import { figure, percent } from '../format.ts';
import { html } from '../html.ts';
import { inferredMark, inferredNote } from '../inferred.ts';
import type { Frame } from '../page.ts';
import { riskClass, barb } from '../risk.ts';
import type { Risk } from './places-data.ts';

type Line = {
  codes: string;
  name: string;
  address: string;
  flights: number;
  usual: Risk | null;
  inferred?: InferredBody;
};

/** A list of routes with their number of flights and their expected risk. */
export function busiestList(title: string, lines: readonly Line[], { locale }: Frame) {
  if (lines.length === 0) return undefined;
  return html`<section class="board lines" aria-label=${title}>
    <h2>${title}</h2>
    <ul>
      ${lines.map(
        ({ codes, name, address, flights, usual, inferred = null }) =>
          html`<li>
            <a href=${address}>
              <span class="codes">${codes}</span>
              <span class="cities">${name}</span>
              <span class="by"
                >${figure(flights, locale)} flights ${inferredMark(inferred, locale)}</span
              >
              ${
                usual &&
                html`<span class=${`chip ${riskClass(usual.score)}`}>
                  ${barb(riskLabel(usual.score))} <b>${usual.score}</b>
                  <small>${percent(usual.share, locale, 0)}</small>
                </span>`
              }
            </a>
          </li>`,
      )}
    </ul>
    ${lines.some(({ inferred }) => inferred) && html`<p class="note">${inferredNote(lines)}</p>`}
  </section>`;
}
