import { scaleLinear } from 'd3-scale';
import type { ModelBody } from '../../../schemas/model.ts';
import { figure, flightCount, month as monthText, percent } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';

type Figures = NonNullable<ModelBody['distribution_reliability']>;

/** A group of flights with its forecast and its actual figure. */
export type Dot = { name: string; flights: number; forecast: number; actual: number };

const [WIDTH, HEIGHT, TOP, BOTTOM, LEFT] = [384, 240, 24, 34, 44];

const OUTCOMES = [
  ['over_60', 'More than an hour late'],
  ['over_120', 'More than two hours late'],
  ['over_180', 'More than three hours late'],
  ['cancelled', 'Cancelled'],
] as const;

/**
 * Draws the charts that compare forecasts with actual flights. The charts of long delays and cancellations sort the
 * flights by forecast and split them into ten groups. The charts of payouts group the flights by airline or month.
 */
export function forecastPictures(figures: Figures, frame: Frame) {
  const { locale } = frame;
  const share = (value: number) => percent(value, locale, 2);
  const amount = (value: number) => figure(value, locale, 2);
  const payoutNote = `An example insurance pays once per flight: ${payoutText(figures.payout_terms)}. The chart compares the forecast and the actual payout per flight.`;
  return [
    ...OUTCOMES.map(([key, title]) =>
      forecastDots(
        {
          id: key,
          title,
          note: 'The flights are sorted by their forecast and split into ten equal groups. Each dot is a group. On the line, forecast and outcome are equal.',
          group: 'Tenth',
          dots: figures[key].map((bin, at) => ({ name: String(at + 1), ...bin })),
        },
        share,
        locale,
      ),
    ),
    forecastDots(
      {
        id: 'payout-airlines',
        title: 'Payout by airline',
        note: payoutNote,
        group: 'Airline',
        dots: figures.payout_by_airline.map(payoutDot('airline')),
      },
      amount,
      locale,
    ),
    forecastDots(
      {
        id: 'payout-months',
        title: 'Payout by month',
        note: payoutNote,
        group: 'Month',
        dots: figures.payout_by_month
          .map(payoutDot('month'))
          .map((dot) => ({ ...dot, name: monthText(dot.name, locale) })),
      },
      amount,
      locale,
    ),
  ];
}

/**
 * Explains payout terms: `60:100,cancelled:400` becomes `100 for a flight more than 60 minutes late and 400 for a
 * cancelled flight`.
 */
export function payoutText(terms: string): string {
  const parts = terms.split(',').map((term) => {
    const [condition = '', amount = ''] = term.split(':');
    const flight = /^\d/.test(condition)
      ? `flight more than ${condition} minutes late`
      : `${condition} flight`;
    return `${amount} for a ${flight}`;
  });
  return AND.format(parts);
}

/** Formats lists in English, because all texts are English. */
const AND = new Intl.ListFormat('en-GB');

type Payout = Figures['payout_by_airline'][number];

function payoutDot(key: string) {
  return (row: Payout): Dot => ({
    name: String(row[key]),
    flights: Number(row.flights),
    forecast: Number(row.expected),
    actual: Number(row.actual),
  });
}

type Dots = { id: string; title: string; note: string; group: string; dots: Dot[] };

/**
 * Draws forecasts on the horizontal axis and actual figures on the vertical axis. On the diagonal line, both are equal.
 */
export function forecastDots(
  { id, title, note, group, dots }: Dots,
  format: (value: number) => string,
  locale: string,
) {
  const most = Math.max(1e-4, ...dots.flatMap(({ forecast, actual }) => [forecast, actual]));
  const x = scaleLinear().domain([0, most]).nice().range([LEFT, WIDTH]);
  const y = scaleLinear()
    .domain(x.domain())
    .range([HEIGHT - BOTTOM, TOP]);
  const [from = 0, until = most] = x.domain();
  return picture({
    id,
    title,
    note,
    drawing: html`<svg
      viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label=${`${title}: forecasts and outcomes; see the table for figures`}
    >
      ${y.ticks(4).map(
        (tick) =>
          html`<line class="rule" x1=${LEFT} x2=${WIDTH} y1=${y(tick)} y2=${y(tick)} />
            <text class="tick" x=${LEFT - 6} y=${y(tick) + 4} text-anchor="end"
              >${format(tick)}</text
            >
            <text class="tick" x=${x(tick)} y=${HEIGHT - BOTTOM + 16} text-anchor="middle"
              >${format(tick)}</text
            >`,
      )}
      <text class="tick" x="0" y="9">Actual</text>
      <text class="tick" x=${WIDTH} y=${HEIGHT - 2} text-anchor="end">Forecast</text>
      <line class="axis" x1=${x(from)} y1=${y(from)} x2=${x(until)} y2=${y(until)} />
      ${dots.map(
        ({ name, flights, forecast, actual }) =>
          html`<circle class="dot open" cx=${x(forecast)} cy=${y(actual)} r="4">
            <title>
              ${`${name}: forecast ${format(forecast)}, actual ${format(actual)}, ${flightCount(flights, locale)}`}
            </title>
          </circle>`,
      )}
    </svg>`,
    table: () => ({
      columns: [group, 'Forecast', 'Actual', 'Flights'],
      rows: dots.map(({ name, flights, forecast, actual }) => [
        name,
        format(forecast),
        format(actual),
        Math.round(flights),
      ]),
    }),
  });
}
