import { scaleLinear } from 'd3-scale';
import { line as linePath } from 'd3-shape';
import { round, sum } from '../../warehouse/ground/numbers.ts';
import { escapeHtml } from './backtest-page/names.ts';

/** A panel with two axes, and the marks drawn in it. Later marks are drawn over earlier marks. */
export type Panel = {
  title?: string;
  /** Size of the area between the axes, in pixels. */
  width: number;
  height: number;
  x: Axis;
  y: Axis;
  marks: Mark[];
};

export type Axis = {
  title?: string;
  /** The values at the two ends of the axis. */
  domain: [number, number];
  /** Approximate number of ticks. */
  ticks: number;
  /** A d3-format specifier, such as `.0%`. Without a format, ticks have no labels. */
  format?: string;
  /** Ticks at chosen values, with their labels. They replace the numeric ticks. */
  names?: [value: number, name: string][];
};

type Point = [x: number, y: number];

/** Positions are in the units of the axes. Sizes are in pixels. */
export type Mark =
  | { kind: 'line'; points: Point[]; colour: string; width: number; dash?: string }
  | { kind: 'dots'; points: Point[]; colour: string; radius: number }
  | { kind: 'bars'; bars: Bar[] }
  | { kind: 'text'; at: Point; text: string };

/** A rectangle between two opposite corners. */
type Bar = { from: Point; to: Point; colour: string };

/** An entry of the legend below the panels. `dash` makes the entry's line dashed. */
export type LegendEntry = { name: string; colour: string; dash?: string };

/** Colours of the score's bands, from Low to Very High. */
export const BAND_COLOURS = ['#4c9a6a', '#c9a227', '#d9722e', '#b3282d'];

const MARGIN = { top: 22, right: 14, bottom: 40, left: 52 };
const LEGEND_ENTRY_WIDTH = 160;
const LEGEND_ROW_HEIGHT = 20;

/**
 * Draws rows of panels as self-contained SVG, with a legend below the panels. `left` is the space for the names of the
 * vertical axes, in pixels. Equal panels give equal bytes.
 */
export function drawChart(
  rows: readonly (readonly Panel[])[],
  { legend = [], left = MARGIN.left }: { legend?: readonly LegendEntry[]; left?: number } = {},
): string {
  const outerWidth = ({ width }: Panel) => left + width + MARGIN.right;
  const outerHeight = ({ height }: Panel) => MARGIN.top + height + MARGIN.bottom;
  const chartWidth = Math.max(...rows.map((row) => sum(row.map(outerWidth))));
  const perRow = Math.max(1, Math.floor(chartWidth / LEGEND_ENTRY_WIDTH));
  const drawings: string[] = [];
  let y = 0;
  for (const row of rows) {
    let x = 0;
    for (const panel of row) {
      drawings.push(group(x + left, y + MARGIN.top, drawPanel(panel)));
      x += outerWidth(panel);
    }
    y += Math.max(...row.map(outerHeight));
  }
  for (const [at, entry] of legend.entries()) {
    const x = left + (at % perRow) * LEGEND_ENTRY_WIDTH;
    drawings.push(group(x, y + rowOf(at, perRow), drawLegendEntry(entry)));
  }
  const height =
    y + (legend.length === 0 ? 0 : rowOf(legend.length - 1, perRow) + LEGEND_ROW_HEIGHT);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${chartWidth}" height="${height}" viewBox="0 0 ${chartWidth} ${height}" font-family="sans-serif" font-size="11">
<rect width="${chartWidth}" height="${height}" fill="white"/>
${drawings.join('\n')}
</svg>
`;
}

function rowOf(at: number, perRow: number): number {
  return Math.floor(at / perRow) * LEGEND_ROW_HEIGHT + LEGEND_ROW_HEIGHT / 2;
}

function group(x: number, y: number, content: string): string {
  return `<g transform="translate(${pixels(x)},${pixels(y)})">${content}</g>`;
}

function drawLegendEntry({ name, colour, dash }: LegendEntry): string {
  const stroke = `stroke="${colour}" stroke-width="3"${dashes(dash)}`;
  return `<line x2="20" ${stroke}/><text x="26" dominant-baseline="middle">${escapeHtml(name)}</text>`;
}

function dashes(dash: string | undefined): string {
  return dash === undefined ? '' : ` stroke-dasharray="${dash}"`;
}

function drawPanel({ title = '', width, height, x, y, marks }: Panel): string {
  const xAt = scaleLinear(x.domain, [0, width]);
  const yAt = scaleLinear(y.domain, [height, 0]);
  const place = ([px, py]: Point): Point => [pixels(xAt(px)), pixels(yAt(py))];
  const xTicks = ticksOf(x).map(([value, name]) =>
    group(xAt(value), 0, `${grid(`y2="${height}"`)}${centredText(height + 14, name)}`),
  );
  const yTicks = ticksOf(y).map(([value, name]) => {
    const text = `<text x="-6" text-anchor="end" dominant-baseline="middle">${escapeHtml(name)}</text>`;
    return group(0, yAt(value), `${y.names === undefined ? grid(`x2="${width}"`) : ''}${text}`);
  });
  const yTitle = `<text transform="translate(-40,${height / 2}) rotate(-90)" text-anchor="middle">${escapeHtml(y.title ?? '')}</text>`;
  return [
    `<text y="-8" font-weight="bold">${escapeHtml(title)}</text>`,
    ...xTicks,
    ...yTicks,
    `<rect width="${width}" height="${height}" fill="none" stroke="#888888"/>`,
    ...marks.map((mark) => drawMark(mark, place)),
    group(width / 2, 0, centredText(height + 32, x.title ?? '')),
    yTitle,
  ].join('');
}

function grid(end: string): string {
  return `<line ${end} stroke="#dddddd"/>`;
}

function centredText(y: number, text: string): string {
  return `<text y="${y}" text-anchor="middle">${escapeHtml(text)}</text>`;
}

function ticksOf({ domain, ticks, format, names }: Axis): [value: number, name: string][] {
  if (names !== undefined) return names;
  const scale = scaleLinear(domain, domain);
  const nameOf = format === undefined ? () => '' : scale.tickFormat(ticks, format);
  return scale.ticks(ticks).map((value) => [value, nameOf(value)]);
}

function drawMark(mark: Mark, place: (point: Point) => Point): string {
  switch (mark.kind) {
    case 'line': {
      const path = linePath()(mark.points.map(place)) ?? '';
      return `<path d="${path}" fill="none" stroke="${mark.colour}" stroke-width="${mark.width}"${dashes(mark.dash)}/>`;
    }
    case 'dots':
      return mark.points
        .map(place)
        .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="${mark.radius}" fill="${mark.colour}"/>`)
        .join('');
    case 'bars':
      return mark.bars.map((bar) => drawBar(bar, place)).join('');
    case 'text': {
      const [x, y] = place(mark.at);
      return `<text x="${x + 6}" y="${y}" dominant-baseline="middle">${escapeHtml(mark.text)}</text>`;
    }
    default:
      throw new Error('unknown kind of mark');
  }
}

function drawBar({ from, to, colour }: Bar, place: (point: Point) => Point): string {
  const [[x1, y1], [x2, y2]] = [place(from), place(to)];
  const size = `width="${pixels(Math.abs(x2 - x1))}" height="${pixels(Math.abs(y2 - y1))}"`;
  return `<rect x="${Math.min(x1, x2)}" y="${Math.min(y1, y2)}" ${size} fill="${colour}"/>`;
}

/** Rounds to hundredths of a pixel, so that equal pictures have equal bytes on every machine. */
function pixels(value: number): number {
  return round(value, 2);
}
