import { scaleLog } from 'd3-scale';
import { figure, flightCount, percent } from '../format.ts';
import { html } from '../html.ts';
import { INFERRED_SIGN, inferredMark, inferredText } from '../inferred.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import type { ComparedItem } from './places-data.ts';
import { howOften, isClearlyDifferent } from './shares.ts';

/** A row of 28 units is 24 pixels high on a phone, enough for a thumb. */
const [WIDTH, NAMES, VALUES, HEAD, ROW] = [384, 148, 46, 18, 28];
const NAME_LENGTH = 20;
const TICKS = [0.67, 1, 1.5];
/** Labels of the axis for a wide range of ratios. In such a range, the labels in `TICKS` would overlap. */
const WIDE_TICKS = [0.5, 1, 2];

/** Note that explains the dots. */
export const DOTS_NOTE =
  'Lines show 90% intervals; hollow dots are not clearly different from average.';

export type RatedList = {
  id: string;
  title: string;
  note: string;
  rated: readonly ComparedItem[];
  /** Code of the item that the page describes. */
  own?: string;
  /** Whether the picture has a row of its own, with its figures beside it. */
  isAlone?: boolean;
};

/**
 * A chart that compares the share of late flights with the share among similar flights. Each item has a dot with an
 * interval, and a link to its page.
 */
export function ratedList({ id, title, note, rated, own, isAlone }: RatedList, { locale }: Frame) {
  if (rated.length === 0) return undefined;
  const ends = rated.flatMap(({ low, high }) => [low, high]);
  const x = scaleLog()
    .domain([Math.min(0.66, ...ends) * 0.97, Math.max(1.5, ...ends) * 1.03])
    .range([NAMES, WIDTH - VALUES]);
  const bottom = HEAD + rated.length * ROW;
  const [least, most] = x.domain() as [number, number];
  const rows = rated.map((one, at) => {
    const y = HEAD + at * ROW + ROW / 2;
    const tooltip = tooltipText(one, locale);
    const side = !isClearlyDifferent(one) ? 'open' : one.ratio > 1 ? 'up' : 'down';
    return html`<a href=${one.address}>
      <title>${tooltip}</title>
      <rect class="reach" x="0" y=${y - ROW / 2} width=${WIDTH} height=${ROW} />
      <text class=${`name ${one.code === own ? 'total' : ''}`} x="0" y=${y + 4}
        >${truncate(one.code.length > 3 ? one.code : one.name)}${one.inferred && ` ${INFERRED_SIGN}`}</text
      >
      <line class=${`reaches ${side}`} x1=${x(one.low)} x2=${x(one.high)} y1=${y} y2=${y} />
      <circle class=${`dot ${side}`} cx=${x(one.ratio)} cy=${y} r="4.5" />
      <text class="figure" x=${WIDTH} y=${y + 4} text-anchor="end">×${one.ratio.toFixed(2)}</text>
    </a>`;
  });
  const drawing = html`<svg
    viewBox=${`0 0 ${WIDTH} ${bottom + 4}`}
    role="group"
    aria-label=${`${title}: how often late compared with similar flights`}
  >
    ${(most / least > 3 ? WIDE_TICKS : TICKS)
      .filter((tick) => tick >= least && tick <= most)
      .map(
        (tick) =>
          html`<line
              class=${tick === 1 ? 'axis' : 'rule'}
              x1=${x(tick)}
              x2=${x(tick)}
              y1=${HEAD - 2}
              y2=${bottom}
            />
            <text class="tick" x=${x(tick)} y="10" text-anchor="middle"
              >${tick === 1 ? 'average' : `×${tick}`}</text
            >`,
      )}
    ${rows}
  </svg>`;
  const hasInferred = rated.some(({ inferred }) => inferred);
  return picture({
    id,
    title,
    note,
    drawing,
    ...(isAlone && { sideContent: sideTable(rated, locale) }),
    table: () => ({
      columns: [
        'Name',
        'Code',
        'Times as often late',
        '90% interval from',
        'to',
        'Flights compared',
        'Late flights',
        'Similar flights of others',
        'Forecast: late or cancelled',
        ...(hasInferred ? ['Estimated airline'] : []),
      ],
      rows: rated.map((one) => [
        one.name,
        one.code,
        one.ratio.toFixed(2),
        one.low.toFixed(2),
        one.high.toFixed(2),
        one.flights,
        one.late,
        one.others,
        one.usual ? percent(one.usual.share, locale) : 'unknown',
        ...(hasInferred ? [inferredShare(one, locale)] : []),
      ]),
    }),
  });
}

/** Formats `Frontier Airlines: late 60% more often than similar flights (×1.60, …), 80,834 flights`. */
function tooltipText(one: ComparedItem, locale: string): string {
  const { name, ratio, low, high, flights, inferred } = one;
  const result = isClearlyDifferent(one)
    ? `late ${howOften(one)} similar flights`
    : 'no clear difference from similar flights';
  const [middle, from, to] = [ratio, low, high].map((value) => `×${value.toFixed(2)}`);
  const note = inferred ? `. ${inferredText(inferred, locale)}` : '';
  return `${name}: ${result} (${middle}, 90% interval ${from} to ${to}), ${flightCount(flights, locale)}${note}`;
}

function inferredShare({ inferred }: ComparedItem, locale: string): string {
  return inferred ? percent(inferred.share, locale, 0) : 'none';
}

/** The table beside the chart. */
function sideTable(rated: readonly ComparedItem[], locale: string) {
  return html`<table>
    <thead>
      <tr>
        ${['Name', '90% interval from', 'to', 'Flights compared', 'Forecast: late or cancelled'].map((name) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rated.map(
        ({ name, address, low, high, flights, usual, inferred = null }) =>
          html`<tr>
            <th scope="row"><a href=${address}>${name}</a> ${inferredMark(inferred, locale)}</th>
            <td>×${low.toFixed(2)}</td>
            <td>×${high.toFixed(2)}</td>
            <td>${figure(flights, locale)}</td>
            <td>${usual ? percent(usual.share, locale) : 'unknown'}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function truncate(name: string): string {
  return name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH - 1)}…` : name;
}
