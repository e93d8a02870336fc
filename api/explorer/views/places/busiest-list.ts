import type { InferredBody } from '../brands-data.ts';
import { flightCount } from '../format.ts';
import { html } from '../html.ts';
import { inferredMark, inferredNote } from '../inferred.ts';
import type { Frame } from '../page.ts';
import { riskChip } from '../risk-chip.ts';
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
                >${flightCount(flights, locale)} ${inferredMark(inferred, locale)}</span
              >
              ${usual && riskChip(usual, locale)}
            </a>
          </li>`,
      )}
    </ul>
    ${lines.some(({ inferred }) => inferred) && html`<p class="note">${inferredNote(lines)}</p>`}
  </section>`;
}
