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
        <caption class="aside">
          ${caption}
        </caption>
        <thead>
          <tr>
            ${columns.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([first, ...cells]) =>
              html`<tr>
                <th scope="row">${first}</th>
                ${cells.map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}
