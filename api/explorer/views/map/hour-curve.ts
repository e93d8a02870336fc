import { scaleBand, scaleLinear } from 'd3-scale';
import { HOURS } from '../../../../warehouse/ground/hours.ts';
import { hour as hourText, percent, shareText } from '../format.ts';
import { html } from '../html.ts';
import { shareLegend } from '../legend.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import { scoreOfShare } from '../places/shares.ts';
import { riskClass } from '../risk.ts';
import type { MapData } from './map-data.ts';
import { mapAddress, type MapState } from './map-view.ts';

const [WIDTH, HEIGHT, TOP, BOTTOM, LEFT] = [384, 190, 18, 24, 0];

/** A bar chart of the hours, for all airports together. Each bar links to the map at that hour. */
export function hourCurve({ hours }: MapData, state: MapState, { locale }: Frame) {
  const { hour } = state;
  const x = scaleBand<number>().domain(HOURS).range([LEFT, WIDTH]).paddingInner(0.14);
  const highest = Math.max(200, ...hours.map((share) => share ?? 0));
  const y = scaleLinear()
    .domain([0, highest])
    .range([HEIGHT - BOTTOM, TOP]);
  const bars = hours.map((share, at) => {
    const left = x(at) ?? 0;
    const tooltip = `${hourText(at, locale)}: ${shareText(share, locale)}`;
    return html`<a
      href=${mapAddress({ ...state, hour: at })}
      aria-current=${at === hour ? 'true' : undefined}
    >
      <title>${tooltip}</title>
      <rect class="reach" x=${left} y=${TOP} width=${x.bandwidth()} height=${HEIGHT - TOP} />
      ${
        share !== null &&
        html`<rect
          class=${riskClass(scoreOfShare(share / 1000))}
          x=${left}
          y=${y(share)}
          width=${x.bandwidth()}
          height=${y(0) - y(share)}
          rx="1.5"
        />`
      }
      ${
        at === hour &&
        html`<path class="pointer" d=${`M${left + x.bandwidth() / 2} ${y(0) + 2} l5 7 h-10 z`} />
          ${share !== null && html`<text class="value" x=${left + x.bandwidth() / 2} y=${y(Math.max(share, hours[at - 1] ?? 0, hours[at + 1] ?? 0)) - 5} text-anchor="middle">${percent(share / 1000, locale, 0)}</text>`}`
      }
    </a>`;
  });
  return picture({
    id: 'day',
    title: 'Through the day',
    note: 'All airports of the map combined, by hour of departure. Choose an hour to see its map.',
    drawing: html`<svg
      viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
      role="group"
      aria-label="Risk by hour of departure"
    >
      ${bars}
      <line class="axis" x1=${LEFT} x2=${WIDTH} y1=${y(0)} y2=${y(0)} />
      ${TICKS.map((at) => at !== hour && html`<text class="tick" x=${(x(at) ?? 0) + x.bandwidth() / 2} y=${HEIGHT - 6} text-anchor="middle">${hourText(at, locale)}</text>`)}
    </svg>`,
    legend: shareLegend(locale),
    table: () => ({
      columns: ['Hour', 'Late or cancelled', 'Score'],
      rows: hours.map((share, at) => [
        hourText(at, locale),
        shareText(share, locale),
        share === null ? '' : scoreOfShare(share / 1000),
      ]),
    }),
  });
}

const TICKS = [0, 6, 12, 18, 23];
