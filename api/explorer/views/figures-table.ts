import { html, type Content } from './html.ts';

/**
 * A table of figures below a heading. The first cell of each row is the heading of the row. Narrow screens scroll the
 * table sideways.
 */
export function figuresTable(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly Content[])[],
) {
  return html`<h3>${caption}</h3>
    <div class="table figures-table" tabindex="0" role="region" aria-label=${caption}>
      <table>
        ${tableHead(caption, columns)}
        <tbody>
          ${rows.map(headedRow)}
        </tbody>
      </table>
    </div>`;
}

/** The caption and the column headings of a table. */
export function tableHead(caption: string, columns: readonly string[]) {
  return html`<caption class="aside">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map((name) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>`;
}

/** A row of a table. Its first cell is the heading of the row. */
export function headedRow([first, ...cells]: readonly Content[]) {
  return html`<tr>
    <th scope="row">${first}</th>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr>`;
}
