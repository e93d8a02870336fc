import { headedRow, tableHead } from './figures-table.ts';
import { html, type Content } from './html.ts';
import { drawRowsInParts, drawOnDemand } from './deferred-drawing.ts';

export type Cell = string | number;

export type Table = { columns: string[]; rows: Cell[][] };

/** A chart with its figures. */
export type Picture = {
  /** Unique id on the page. Addresses and names of saved files contain this id. */
  id: string;
  title: string;
  /** One or two sentences on how to read the chart. */
  note?: Content;
  /** Links above the drawing that change the drawing. */
  controls?: Content;
  /** The drawing as SVG. If undefined, only the table is shown. */
  drawing: Content;
  /** Legend of the colours, as SVG. Saved files contain the legend too. */
  legend?: Content;
  /** Returns the figures of the chart as a table, for reading, for screen readers and for CSV. */
  table: () => Table;
  /** A `wide` picture fills the whole row. */
  size?: 'wide';
  /** Content beside the drawing on wide screens. With this content, the picture fills the whole row. */
  sideContent?: Content;
};

/** Shows a chart with its table, and buttons that save it as SVG, PNG or CSV. */
export function picture(one: Picture) {
  const { id, title, note, controls, drawing, legend, table, size, sideContent } = one;
  return html`<figure
    class=${`picture ${sideContent === undefined ? (size ?? '') : 'wide alone'}`}
    id=${id}
  >
    <figcaption>
      <h3 id=${`${id}-title`}>${title}</h3>
      ${note !== undefined && html`<p class="note">${note}</p>`}
    </figcaption>
    ${controls} ${drawing !== undefined && html`<div class="drawing">${drawing}</div>`}
    ${drawing !== undefined && legend !== undefined && html`<div class="drawing key">${legend}</div>`}
    ${sideContent !== undefined && html`<div class="beside">${sideContent}</div>`}
    <div class="tools">
      ${drawOnDemand('Table', () => dataTable(title, table()))}
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

/** A table with column headings. The first cell of each row is the heading of the row. */
function dataTable(caption: string, { columns, rows }: Table) {
  return html`<div class="table" tabindex="0" role="region" aria-label=${`Table: ${caption}`}>
    <table>
      ${tableHead(caption, columns)} ${drawRowsInParts(rows, headedRow)}
    </table>
  </div>`;
}
