import type { VNode } from 'preact';
import { datesText } from '../../../warehouse/ground/period.ts';
import type { OpsCell } from '../../../warehouse/live/ops-summary.ts';
import { html } from '../html.ts';
import type { View } from '../visitor.ts';
import { layout } from './layout.ts';
import { STATE_WORDS } from '../../../warehouse/live/month-states.ts';
import { SIGNS } from './month-grid.ts';
import { count } from './format.ts';

/** The page of one month: its sources, and buttons to load the month again. */
export function monthPage({ cells, visitor, params }: View & { cells: OpsCell[] }): VNode {
  const month = params['month'] ?? '';
  const query = new URLSearchParams({ kind: 'backfill', from: month, to: month, publish: 'on' });
  return layout(
    { title: `Month ${month}`, visitor },
    html`<div class="scroll" tabindex="0" role="region" aria-label="Sources">
      <table>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col">State</th>
            <th scope="col">Completeness</th>
            <th scope="col" class="number">Flights</th>
            <th scope="col" class="number">Rows of the file</th>
            <th scope="col" class="number">Rejected</th>
            <th scope="col">File</th>
            <th scope="col">Refused</th>
          </tr>
        </thead>
        <tbody>
          ${cells.map(
            (cell) =>
              html`<tr>
                <th scope="row">${nameOf(cell)}</th>
                <td>
                  <b class=${`sign ${cell.state}`} aria-hidden="true">${SIGNS[cell.state]}</b>
                  ${' '}${STATE_WORDS[cell.state]}
                </td>
                <td>${completenessOf(cell)}</td>
                <td class="number">${count(cell.flights)}</td>
                <td class="number">${count(cell.rows)}</td>
                <td class="number">${count(cell.rejected)}</td>
                <td>${cell.file}</td>
                <td>${refusalOf(cell)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`,
    html`<p class="buttons">
      <a class="button main" href=${`/ops/confirm?${query}`}>Backfill ${month}…</a>
      <a class="button" href=${`/ops/confirm?${query}&force=on`}>Backfill with force…</a>
    </p>`,
  );
}

/** Names the source, and the year if the cell has the counts of a whole year. */
function nameOf({ source, ...cell }: OpsCell): string {
  return cell.periodMonths === 12 ? `${source} ${datesText(cell)}` : source;
}

function refusalOf({ refusedFile, refusedWhy = 'more than 1 % of its rows are bad' }: OpsCell) {
  return refusedFile === undefined ? '' : `${refusedFile}: ${refusedWhy}`;
}

function completenessOf({ completeness }: OpsCell): string {
  if (completeness === undefined) return '';
  const { kind, days, monthDays, airports, airlines } = completeness;
  const dayText = days === null ? '' : `${days} of ${monthDays} days, `;
  return `${kind}: ${dayText}${count(airports)} airports, ${count(airlines)} airlines`;
}
