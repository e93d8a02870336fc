import { riskLabel } from '../../../../models/label.ts';
import { figure, percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { riskClass, barb } from '../risk.ts';
import type { Risk } from './places-data.ts';

type Line = { codes: string; name: string; address: string; flights: number; usual: Risk | null };

/** A list of routes with their number of flights and their expected risk. */
export function busiestList(title: string, lines: readonly Line[], { locale }: Frame) {
  if (lines.length === 0) return undefined;
  return html`<section class="board lines" aria-label=${title}>
    <h2>${title}</h2>
    <ul>
      ${lines.map(
        ({ codes, name, address, flights, usual }) =>
          html`<li>
            <a href=${address}>
              <span class="codes">${codes}</span>
              <span class="cities">${name}</span>
              <span class="by">${figure(flights, locale)} flights</span>
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
  </section>`;
}
