import { html, type Content } from './html.ts';
import { inParts, onDemand } from './later.ts';

export type Cell = string | number;

export type Table = { columns: string[]; rows: Cell[][] };

/** A picture with the figures it is made of. */
export type Drawn = {
  /** Unique on its page; part of an address that leads to it, and the name of its files. */
  id: string;
  title: string;
  /** What to see in it, in a sentence. */
  note?: Content;
  /** The SVG; `undefined` draws nothing and leaves the table. */
  drawing: Content;
  /** The very figures drawn, for screen readers, for those who read rather than look, and for CSV. */
  table: () => Table;
  /** `wide` takes the whole row. */
  size?: 'wide';
  /** What is read beside the drawing where there is room; it takes the whole row. */
  beside?: Content;
};

/** A picture, its table, and the buttons that take it along as SVG, PNG or CSV. */
export function picture({ id, title, note, drawing, table, size, beside }: Drawn) {
  return html`<figure
    class=${`picture ${beside === undefined ? (size ?? '') : 'wide alone'}`}
    id=${id}
  >
    <figcaption>
      <h3 id=${`${id}-title`}>${title}</h3>
      ${note !== undefined && html`<p class="note">${note}</p>`}
    </figcaption>
    ${drawing !== undefined && html`<div class="drawing">${drawing}</div>`}
    ${beside !== undefined && html`<div class="beside">${beside}</div>`}
    <div class="tools">
      ${onDemand('Table', () => dataTable(title, table()))}
      ${FILES.map(
        ([kind, name]) =>
          html`<button
            type="button"
            data-save=${kind}
            data-of=${id}
            aria-label=${`${name} of ${title}`}
          >
            ${name}
          </button>`,
      )}
      <button
        type="button"
        data-save="copy"
        data-of=${id}
        aria-label=${`Copy the table of ${title}`}
      >
        Copy
      </button>
    </div>
  </figure>`;
}

const FILES = [
  ['csv', 'CSV'],
  ['svg', 'SVG'],
  ['png', 'PNG'],
] as const;

/** A table with a heading for each column; the first cell of a row names it. */
function dataTable(caption: string, { columns, rows }: Table) {
  return html`<div class="table" tabindex="0" role="region" aria-label=${`Table: ${caption}`}>
    <table>
      <caption class="aside">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      ${inParts(
        rows,
        ([name, ...cells]) =>
          html`<tr>
            <th scope="row">${name}</th>
            ${cells.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </table>
  </div>`;
}
