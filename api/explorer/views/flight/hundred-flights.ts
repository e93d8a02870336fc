import { percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import { outOfHundred, type Counted } from './figures.ts';
import type { FullScore } from './flight-data.ts';

/** Lines are further apart than marks in a line, so that the eye counts lines. */
const [PER_ROW, SIZE, LINE] = [20, 19, 26];
const ROWS = 100 / PER_ROW;

/** What can become of the flight, as 100 flights like it. */
export function hundredFlights(outlook: NonNullable<FullScore['outlook']>, { locale }: Frame) {
  const counted = outOfHundred(outlook);
  const each = counted.flatMap((outcome, kind) =>
    Array.from({ length: outcome.of100 }, () => ({ outcome, kind })),
  );
  const drawing = html`<svg
    viewBox=${`0 0 ${PER_ROW * SIZE} ${ROWS * LINE}`}
    role="img"
    aria-label=${`Of 100 such flights ${spoken(counted)}`}
  >
    ${each.map(({ kind }, at) => {
      const [x, y] = [(at % PER_ROW) * SIZE, Math.floor(at / PER_ROW) * LINE + (LINE - SIZE) / 2];
      return html`<g class=${`outcome-${kind}`} transform=${`translate(${x} ${y})`}
        >${MARKS[kind]}</g
      >`;
    })}
  </svg>`;
  return picture({
    id: 'outlook',
    title: 'Of 100 such flights',
    drawing: html`${drawing}
      <ul class="legend">
        ${counted.map(
          ({ name, of100 }, kind) =>
            html`<li class=${of100 === 0 ? 'none' : undefined}>
              <svg viewBox=${`0 0 ${SIZE} ${SIZE}`} class=${`outcome-${kind}`} aria-hidden="true">
                ${MARKS[kind]}
              </svg>
              <b>${of100}</b> ${name}
            </li>`,
        )}
      </ul>`,
    table: {
      columns: ['Outcome', 'Of 100 flights', 'Share'],
      rows: counted.map(({ name, of100, share }) => [name, of100, percent(share, locale, 2)]),
    },
  });
}

function spoken(counted: Counted[]): string {
  return counted
    .filter(({ of100 }) => of100 > 0)
    .map(({ name, of100 }) => `${of100} are ${name}`)
    .join(', ');
}

/** Told by shape as well as by colour: a dot, a ring, bars that grow, a cross. */
const MARKS = [
  html`<circle cx="9.5" cy="9.5" r="3.4" />`,
  html`<circle cx="9.5" cy="9.5" r="5" class="ring" />`,
  html`<rect x="3.5" y="8.5" width="12" height="7" rx="1.5" />`,
  html`<rect x="3.5" y="5.5" width="12" height="10" rx="1.5" />`,
  html`<rect x="3.5" y="2.5" width="12" height="14" rx="1.5" />`,
  html`<path class="cross" d="M4 4 L15 15 M15 4 L4 15" />`,
];
