import { percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import { outcomesOf100, type OutcomeCount } from './figures.ts';
import type { FullScore } from './flight-data.ts';

/** Rows are further apart than the marks within a row, so that readers see rows. */
const [PER_ROW, SIZE, ROW_HEIGHT] = [20, 19, 36];
const ROWS = 100 / PER_ROW;

/** A picture of 100 marks, one for each of 100 flights, by outcome. */
export function hundredFlights(outlook: NonNullable<FullScore['outlook']>, { locale }: Frame) {
  const counted = outcomesOf100(outlook);
  const kinds = counted.flatMap(({ of100 }, kind) => Array.from({ length: of100 }, () => kind));
  const drawing = html`<svg
    viewBox=${`0 0 ${PER_ROW * SIZE} ${ROWS * ROW_HEIGHT}`}
    role="img"
    aria-label=${`In 100 flights like this: ${countsText(counted)}`}
  >
    ${counted.map((_, kind) => html`<path class=${`outcome-${kind}`} d=${marksOf(kind, kinds)} />`)}
  </svg>`;
  return picture({
    id: 'outlook',
    title: '100 flights like this',
    drawing: html`${drawing}
      <ul class="legend">
        ${counted.map(
          ({ name, of100 }, kind) =>
            html`<li class=${of100 === 0 ? 'none' : undefined}>
              <svg viewBox=${`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
                <path class=${`outcome-${kind}`} d=${MARKS[kind]} />
              </svg>
              <b>${of100}</b> ${name}
            </li>`,
        )}
      </ul>`,
    table: () => ({
      columns: ['Outcome', 'Flights in 100', 'Share'],
      rows: counted.map(({ name, of100, share }) => [name, of100, percent(share, locale, 2)]),
    }),
  });
}

function countsText(counted: OutcomeCount[]): string {
  return counted
    .filter(({ of100 }) => of100 > 0)
    .map(({ name, of100 }) => `${of100} are ${name}`)
    .join(', ');
}

/** Combines the marks of one outcome into one shape. Browsers redraw a few shapes faster than a hundred. */
function marksOf(kind: number, kinds: number[]): string {
  return kinds
    .map((one, at) => {
      if (one !== kind) return '';
      const x = (at % PER_ROW) * SIZE;
      const y = Math.floor(at / PER_ROW) * ROW_HEIGHT + (ROW_HEIGHT - SIZE) / 2;
      return (MARKS[kind] ?? '').replaceAll(/M([\d.]+) ([\d.]+)/g, (_, left, top) => {
        return `M${x + Number(left)} ${y + Number(top)}`;
      });
    })
    .join('');
}

/**
 * Shapes of the marks: a dot, a ring, bars of growing height, an angle and a cross. Outcomes are therefore readable
 * without colour.
 */
const MARKS = [
  'M6.1 9.5a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0z',
  'M4.5 9.5a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z',
  'M3.5 8.5h12v7h-12z',
  'M3.5 5.5h12v10h-12z',
  'M3.5 2.5h12v14h-12z',
  'M4 13l5.5-9l5.5 9',
  'M4 4l11 11M15 4l-11 11',
];
