import type { ModelBody } from '../../../schemas/model.ts';
import { callBox } from '../call-box.ts';
import { figure, month as monthText, percent } from '../format.ts';
import { factList } from '../facts.ts';
import { html, type Content } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { bandBars } from './band-bars.ts';
import { tenthBars } from './tenth-bars.ts';

/** Whether scores came true: what `/api/model` publishes, as pictures. */
export const modelPage: Page<ModelBody> = {
  path: '/model',
  source: () => '/explorer/model',
  title: () => 'Is it right?',
  summary: ({ score_reliability: came }) =>
    came
      ? `What became of ${came.flights} flights of months the model had not seen, by the score they would have had.`
      : 'What the model learned from, and how it was measured.',
  view,
};

function view(model: ModelBody, frame: Frame) {
  const { score_reliability: came, trained_on } = model;
  const { locale } = frame;
  return html`<h1>Is it right?</h1>
    ${came ? lead(came, frame) : html`<p class="lead">This model was published without a report of what became of its scores.</p>`}
    ${
      came &&
      html`<h2 class="aside">In pictures</h2>
        <div class="pictures">
          ${tenthBars(came, frame)}
          ${bandBars({ id: 'bands', title: 'The four bands', note: 'Their width is their share of all flights, their height how many of 100 went wrong.', bands: came.bands }, frame)}
          ${came.by_confidence.map(({ from, to, bands }) =>
            bandBars(
              {
                id: `confidence-${from}`,
                title: `Where the confidence is ${from} to ${to}%`,
                note:
                  from >= 50
                    ? 'Routes with a good record of the airline itself.'
                    : 'Few flights on record: the score leans on the airports and the airline elsewhere.',
                bands,
              },
              frame,
            ),
          )}
          ${came.by_month?.map(({ month, flights, bands }) =>
            bandBars(
              {
                id: `month-${month}`,
                title: monthText(month, locale),
                note: `${figure(flights, locale)} flights of that month alone.`,
                bands,
              },
              frame,
            ),
          )}
        </div>`
    }
    ${came && html`<p class="note basis">${restsOn(came, locale)}</p>`}
    <div class="columns">
      <section>
        <h2>How well it tells flights apart</h2>
        ${factList(measures(model, frame))}
      </section>
      <section>
        <h2>What it cannot know</h2>
        <ul class="plain">
          ${UNKNOWN.map((one) => html`<li>${one}</li>`)}
        </ul>
      </section>
      <section>
        <h2>What it learned from</h2>
        ${factList(learned(trained_on, model, frame))}
      </section>
    </div>
    ${callBox(frame.site, [{ title: 'The card of the model', path: '/api/model' }])}`;
}

type Came = NonNullable<ModelBody['score_reliability']>;

function lead(came: Came, { locale }: Frame) {
  const seen = came.bands.filter(({ disrupted }) => disrupted !== null);
  const ofHundred = (share: number | null) => Math.round(100 * (share ?? 0));
  const called = seen.map(
    ({ label, disrupted }) => `of 100 called ${label} ${ofHundred(disrupted)}`,
  );
  return html`<p class="lead">
      We scored ${figure(came.flights, locale)} flights of months the model had not seen
      (${came.months.map((one) => monthText(one, locale)).join(', ')}) as if before their departure,
      and then looked. Of 100 flights ${ofHundred(came.disrupted)} came more than 30 minutes late or
      not at all: ${called.join(', ')}.
    </p>
    <p class="note">
      ${came.by_month === null && 'This model’s report has its months together; newer ones have each by itself. '}
      By how many days ahead a score is asked for it is not measured: before weather it is the same
      on every day before, and what forecasts said then no history holds.
    </p>`;
}

function restsOn({ note, coverage }: Came, locale: string): string {
  if (!coverage) return note;
  const [airports, airlines] = [coverage.airports, coverage.airlines].map((one) =>
    figure(one, locale),
  );
  return `${note} The figures are of ${airports} airports and ${airlines} airlines; of others there are none.`;
}

const UNKNOWN = [
  'The weather beyond a forecast of 16 days; until then it counts what the month is usually like.',
  'A late aircraft, a crew out of hours, a gate that is taken: what goes wrong on the day itself.',
  'What airlines and airports changed since the last month on record.',
  'How a single flight goes: of 100 flights with a risk of 10 in 100, 90 come in time, and 10 do not.',
];

/** Figures of the report that are there, each with what it means. */
function measures({ metrics }: ModelBody, { locale }: Frame): [string, Content][] {
  const of = (name: string) => {
    const value = metrics[name];
    return typeof value === 'number' ? value : undefined;
  };
  const rows: [string, string | undefined][] = [
    ['Flights it was tried on', text(of('n'), (value) => figure(value, locale))],
    [
      'Of a late flight and one in time, it finds the late one',
      text(
        of('auc'),
        (value) => `in ${figure(100 * value, locale)} of 100 pairs (AUC ${value.toFixed(3)})`,
      ),
    ],
    [
      'Late flights, as forecast and as they came',
      text(
        of('forecast'),
        (value) => `${percent(value, locale)} and ${percent(of('observed') ?? 0, locale)}`,
      ),
    ],
    [
      'A probability is off by, on average',
      text(of('ece'), (value) => `${figure(100 * value, locale, 2)} points of 100`),
    ],
    [
      'Better than the usual rate alone by',
      text(
        of('skill'),
        (value) => `${percent(value, locale)} of what is left to know (Brier skill)`,
      ),
    ],
  ];
  return rows.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, Content]],
  );
}

function text(value: number | undefined, write: (value: number) => string): string | undefined {
  return value === undefined ? undefined : write(value);
}

function learned(
  { coverage, months }: ModelBody['trained_on'],
  { version, features, created_at }: ModelBody,
  { locale }: Frame,
): [string, Content][] {
  return [
    ...(coverage
      ? ([
          ['Flights', figure(coverage.flights, locale)],
          [
            'Of',
            `${monthText(coverage.first_month, locale)} to ${monthText(coverage.last_month, locale)}`,
          ],
          [
            'Airports, airlines, routes',
            [coverage.airports, coverage.airlines, coverage.routes]
              .map((one) => figure(one, locale))
              .join(', '),
          ],
        ] as [string, Content][])
      : ([['Months', figure(months.length, locale)]] as [string, Content][])),
    [
      'What it knows of a flight',
      html`<details>
        <summary>${features.length} figures</summary>
        <ul class="plain">
          ${features.map(({ what }) => html`<li>${what}</li>`)}
        </ul>
      </details>`,
    ],
    ['Version', html`<code>${version}</code>`],
    ...(created_at === null ? [] : ([['Trained', created_at.slice(0, 10)]] as [string, Content][])),
  ];
}
