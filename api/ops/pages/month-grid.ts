import type { VNode } from 'preact';
import { datesText } from '../../../warehouse/ground/period.ts';
import { STATE_WORDS, type MonthState } from '../../../warehouse/live/month-states.ts';
import type { OpsCell } from '../../../warehouse/live/ops-summary.ts';
import { html } from '../html.ts';
import { count, compact } from './format.ts';

const NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Number of newest years that are visible at first. The reader can expand the earlier years. */
const YEARS_SHOWN = 3;

/** A sign for each state, for readers who cannot distinguish the colours. */
export const SIGNS: Record<MonthState, string> = {
  loaded: '●',
  pending: '◐',
  refused: '✕',
  unbacked: '◌',
  damaged: '⚠',
  missing: '·',
};
const STATES = Object.keys(SIGNS) as MonthState[];

/** Renders a table for each year, newest year first. A table has a row for each source and a column for each month. */
export function monthGrid({ cells }: { cells: OpsCell[] }): VNode {
  const years = [...Map.groupBy(cells, ({ month }) => month.slice(0, 4))].toSorted(([a], [b]) =>
    b.localeCompare(a),
  );
  const [shown, older] = [years.slice(0, YEARS_SHOWN), years.slice(YEARS_SHOWN)];
  return html`<div>
    ${shown.map(yearTable)}
    ${
      older.length > 0 &&
      html`<details>
        <summary>${older.length} earlier ${older.length === 1 ? 'year' : 'years'}</summary>
        ${older.map(yearTable)}
      </details>`
    }
    <p class="note legend">
      ${STATES.map(
        (state) =>
          html`<span>
              <b class=${`sign ${state}`} aria-hidden="true">${SIGNS[state]}</b
              >${` ${STATE_WORDS[state]}`}
            </span>
            ${' '}`,
      )}
      <span><b class="sign refused" aria-hidden="true">!</b> a later file was refused</span> ${' '}
      <span
        >Numbers are scheduled flights. A month is partial if only some airports, airlines or days
        are loaded. It is a sample if only single flights are loaded.</span
      >
    </p>
  </div>`;
}

function yearTable([year, cells]: [string, OpsCell[]]): VNode {
  const sources = [...Map.groupBy(cells, ({ source }) => source)];
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${`Months of ${year}`}>
    <table class="grid">
      <caption>
        ${year}
      </caption>
      <thead>
        <tr>
          <th scope="col">Source</th>
          ${NAMES.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${sources.map(
          ([source, months]) =>
            html`<tr>
              <th scope="row">${source}</th>
              ${rowOf(year, months)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/**
 * Returns the cells of a source in a year: a cell for each month, or one wide cell for the counts of the whole year.
 */
function rowOf(year: string, cells: OpsCell[]): VNode | VNode[] {
  const whole = cells.find(({ periodMonths }) => periodMonths === 12);
  if (whole) return gridCell(whole, NAMES.length);
  return NAMES.map((_, index) => {
    const month = `${year}-${String(index + 1).padStart(2, '0')}`;
    return gridCell(cells.find((cell) => cell.month === month));
  });
}

function gridCell(cell: OpsCell | undefined, columns = 1): VNode {
  if (!cell) return html`<td></td>`;
  const { month, state, flights, refusedFile, completeness } = cell;
  const hasRefusedFile = refusedFile !== undefined && state !== 'refused';
  const flightsText = flights === undefined ? '' : `, ${count(flights)} flights`;
  const isIncomplete = completeness !== undefined && completeness.kind !== 'whole';
  const kindText = isIncomplete ? `, ${completeness.kind}` : '';
  const label = `${cell.source} ${datesText(cell)}: ${STATE_WORDS[state]}${kindText}${flightsText}${hasRefusedFile ? ', a later file was refused' : ''}`;
  const texts = [
    ...(flights === undefined ? [] : [compact(flights)]),
    ...(isIncomplete ? [completeness.kind] : []),
  ];
  return html`<td class=${state} colspan=${columns > 1 ? columns : undefined}>
    <a href=${`/ops/months/${month}`} title=${label}>
      <span class="spoken">${`${label} `}</span>
      <b class=${`sign ${state}`} aria-hidden="true">${SIGNS[state]}</b
      >${hasRefusedFile && html`<b class="sign refused" aria-hidden="true">!</b>`}
      ${texts.map((text) => html`<small>${`${text} `}</small>`)}
    </a>
  </td>`;
}
