import { hour as hourText, percent } from '../format.ts';
import { html } from '../html.ts';
import { shareLegend } from '../legend.ts';
import type { Frame } from '../page.ts';
import { picture, type Cell } from '../picture.ts';
import { riskClass } from '../risk.ts';

const [WIDTH, NAMES, HEAD, GAP] = [384, 40, 6, 1.5];
/** Total height of the rows. Adjacent pictures have the same height. */
const BODY = 228;
const COLUMN = (WIDTH - NAMES) / 24;

/** A box of a heat map. `score` sets its colour, and `text` is its tooltip. If `isThin` is true, the box is smaller. */
export type Slot = { score: number; share: number; isThin: boolean; counts: Cell[]; text: string };

export type HeatMap = {
  id: string;
  title: string;
  note: string;
  /** Rows of 24 boxes, each row with a name; null for an hour without flights. */
  rows: { name: string; full: string; slots: (Slot | null)[] }[];
  /** Headings of the table columns for `counts`. */
  countColumns: string[];
  description: string;
};

/** A heat map with rows of 24 hours. The colour of a box shows the risk. */
export function heatMap(
  { id, title, note, rows, countColumns, description }: HeatMap,
  { locale }: Frame,
) {
  const rowHeight = BODY / rows.length;
  const bottom = HEAD + BODY;
  const boxes = rows.map(({ name, full, slots }, row) => {
    const y = HEAD + row * rowHeight;
    return html`<g>
      <text class="tick" x=${NAMES - 6} y=${y + rowHeight / 2 + 4} text-anchor="end">${name}</text>
      ${slots.map((slot, hour) => box(slot, `${full}, ${hourText(hour, locale)}`, { y, height: rowHeight, hour }))}
    </g>`;
  });
  const drawing = html`<svg
    viewBox=${`0 0 ${WIDTH} ${bottom + 18}`}
    role="img"
    aria-label=${description}
  >
    ${boxes}
    ${TICKS.map(
      (hour) =>
        html`<text
          class="tick"
          x=${NAMES + (hour + 0.5) * COLUMN}
          y=${bottom + 14}
          text-anchor=${hour === 23 ? 'end' : 'middle'}
          >${hourText(hour, locale)}</text
        >`,
    )}
  </svg>`;
  return picture({
    id,
    title,
    note,
    drawing,
    legend: shareLegend(locale),
    table: () => ({
      columns: ['When', 'Hour', 'Late or cancelled', ...countColumns],
      rows: rows.flatMap(({ full, slots }) =>
        slots.flatMap((slot, hour) =>
          slot ? [[full, hourText(hour, locale), percent(slot.share, locale), ...slot.counts]] : [],
        ),
      ),
    }),
  });
}

const TICKS = [0, 6, 12, 18, 23];

type Place = { y: number; height: number; hour: number };

function box(slot: Slot | null, when: string, { y, height, hour }: Place) {
  const inset = slot === null || !slot.isThin ? GAP / 2 : height / 4;
  const place = {
    x: NAMES + hour * COLUMN + Math.min(inset, COLUMN / 4),
    y: y + inset,
    width: COLUMN - 2 * Math.min(inset, COLUMN / 4),
    height: height - 2 * inset,
  };
  if (slot === null) {
    return html`<rect
      class="nothing"
      x=${place.x + place.width / 2 - 1}
      y=${y + height / 2 - 1}
      width="2"
      height="2"
    />`;
  }
  return html`<rect class=${riskClass(slot.score)} ...${place} rx="1.5">
    <title>${`${when}: ${slot.text}`}</title>
  </rect>`;
}
