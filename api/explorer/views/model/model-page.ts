import type { ModelBody } from '../../../schemas/model.ts';
import { callBox } from '../call-box.ts';
import { figure, month as monthText, percent } from '../format.ts';
import { factList } from '../facts.ts';
import { html, type Content } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { bandBars, HEIGHT_BESIDE_CURVE } from './band-bars.ts';
import { forecastPictures } from './forecast-dots.ts';
import type { ModelData } from './model-data.ts';
import { ACCURACY_NAMES, recordAccuracies } from './record-accuracy.ts';
import { reliabilityCurve } from './reliability-curve.ts';

/** The page about the accuracy of the scores: the figures of `/api/model` as pictures. */
export const modelPage: Page<ModelData> = {
  path: '/model',
  source: () => '/explorer/model',
  title: () => 'How accurate are the scores?',
  summary: (data) =>
    data.version !== null && data.score_reliability
      ? `Scores and outcomes of ${data.score_reliability.flights} flights from months the model had not seen.`
      : 'The model, its training data and its measured accuracy.',
  view: (data, frame) =>
    html`<h1>How accurate are the scores?</h1>
      ${
        data.version === null
          ? html`<p class="lead">No model is published. Scores use statistics only.</p>`
          : modelParts(data, frame)
      }
      ${recordAccuracies(data.providers, frame)}
      ${callBox(frame.site, [
        data.version === null
          ? { title: 'Records and their accuracy', path: '/api/coverage' }
          : { title: 'Model card', path: '/api/model' },
      ])}`,
};

function modelParts(model: ModelBody, frame: Frame) {
  const { score_reliability: reliability, distribution_reliability: delays, trained_on } = model;
  const { locale } = frame;
  return html`${reliability ? lead(reliability, frame) : html`<p class="lead">This model was published without an accuracy report.</p>`}
    ${
      reliability &&
      html`<h2 class="aside">In pictures</h2>
        <div class="pictures">
          ${reliabilityCurve(reliability, frame)}
          ${bandBars({ id: 'bands', title: 'The four bands', note: 'Width: share of all flights. Height: how many in 100 were late or cancelled.', bands: reliability.bands, height: HEIGHT_BESIDE_CURVE }, frame)}
          ${reliability.by_confidence.map(({ from, to, bands }) =>
            bandBars(
              {
                id: `confidence-${from}`,
                title: `Confidence ${from} to ${to}%`,
                note:
                  from >= 50
                    ? 'The record has many flights of the airline on the route.'
                    : 'Few flights on record: the score relies on the airports and the airline’s other routes.',
                bands,
              },
              frame,
            ),
          )}
          ${reliability.by_month?.map(({ month, flights, bands }) =>
            bandBars(
              {
                id: `month-${month}`,
                title: monthText(month, locale),
                note: `The ${figure(flights, locale)} flights of this month.`,
                bands,
              },
              frame,
            ),
          )}
        </div>`
    }
    ${reliability && html`<p class="note basis">${basisText(reliability, locale)}</p>`}
    ${delays && longDelays(delays, frame)}
    <div class="columns">
      <section>
        <h2>Measured accuracy</h2>
        ${countsText(model, locale)} ${factList(measures(model, frame))}
      </section>
      <section>
        <h2>Unknown to the model</h2>
        <ul class="plain">
          ${LIMITS.map((one) => html`<li>${one}</li>`)}
        </ul>
      </section>
      <section>
        <h2>Training data</h2>
        ${reliability && model.imported === null && html`<p class="note">After the test, the model was trained again on all months.</p>`}
        ${factList(trainingFacts(trained_on, model, frame))}
      </section>
    </div>`;
}

type Reliability = NonNullable<ModelBody['score_reliability']>;

function lead(reliability: Reliability, { locale }: Frame) {
  const { flights, months, disrupted } = reliability;
  const inHundred = (share: number | null) => Math.round(100 * (share ?? 0));
  const bandTexts = reliability.bands
    .filter((band) => band.disrupted !== null)
    .map((band) => `${band.label} ${inHundred(band.disrupted)}`);
  return html`<p class="lead">
      We scored ${figure(flights, locale)} flights as if they had not yet departed, and compared the
      scores with the outcomes. For this test, the model was trained without the months of these
      flights (${months.map((one) => monthText(one, locale)).join(', ')}). On average,
      ${` ${inHundred(disrupted)}`} in 100 flights were more than 30 minutes late or cancelled. Late
      or cancelled flights in 100, by band: ${bandTexts.join(', ')}.
    </p>
    <p class="note">
      ${reliability.by_month === null && 'This report covers its months together; newer reports also cover each month. '}
      This test used no weather forecasts, so each tested flight has only one score. The ${' '}<a
        href="/record"
        >record of forecasts</a
      >${' '}shows how accuracy changes with the number of days before departure.
    </p>`;
}

/** Charts of long delays, cancellations and payouts, each with its forecasts. */
function longDelays(delays: NonNullable<ModelBody['distribution_reliability']>, frame: Frame) {
  const { locale } = frame;
  const { crps } = delays;
  return html`<h2>Long delays, cancellations and payouts</h2>
    <p class="note">
      These charts compare the forecast and actual delays of the ${figure(delays.flights, locale)}
      ${' '}flights that arrived. Only the charts of cancellations and payouts include cancelled and
      diverted flights. The model also forecasts how many minutes late a flight is. The average
      error of this forecast (CRPS) is ${figure(crps.value, locale, 4)} minutes. A simpler forecast
      gives all late flights the same chances of a long delay. Its error is
      ${` ${figure(crps.reference, locale, 4)}`} minutes:
      ${` ${figure(crps.reference - crps.value, locale, 4)}`} minutes more than the model’s
      (${`± ${figure(crps.standard_error, locale, 4)}`}, one standard error).
    </p>
    <div class="pictures">${forecastPictures(delays, frame)}</div>`;
}

/** Explains why model and score are measured on different numbers of flights. */
function countsText({ metrics, score_reliability: reliability }: ModelBody, locale: string) {
  const completed = metrics['n'];
  if (!reliability || typeof completed !== 'number') return undefined;
  const cancelled = reliability.flights - completed;
  if (cancelled <= 0) return undefined;
  return html`<p class="note">
    The figures in this table cover only the ${figure(completed, locale)} flights that arrived. The
    pictures at the top of the page also include the ${figure(cancelled, locale)} cancelled flights
    of the same months. Those pictures count late and cancelled flights, so their shares are higher.
  </p>`;
}

function basisText({ note, coverage }: Reliability, locale: string): string {
  if (!coverage) return note;
  const [airports, airlines] = [coverage.airports, coverage.airlines].map((one) =>
    figure(one, locale),
  );
  return `${note} The test covers only ${airports} airports and ${airlines} airlines.`;
}

const LIMITS = [
  'Weather more than 16 days ahead. Until a forecast is available, scores use typical weather for the month.',
  'Problems on the day: a late aircraft, a crew out of hours, an occupied gate.',
  'Changes at airlines and airports since the last month on record.',
  'The outcome of a single flight. A risk of 10 in 100 means that about 10 of 100 such flights are late or cancelled. It does not say which ones.',
];

/** Returns the measured qualities of the model, with explanations. */
function measures({ metrics }: ModelBody, { locale }: Frame): [string, Content][] {
  const metric = (name: string) => {
    const value = metrics[name];
    return typeof value === 'number' ? value : undefined;
  };
  const rows: [string, string | undefined][] = [
    ['Flights tested', formatIfKnown(metric('n'), (value) => figure(value, locale))],
    [
      'Given one late and one on-time flight, the model picks the late one',
      formatIfKnown(
        metric('auc'),
        (value) => `in ${figure(100 * value, locale)} of 100 pairs (AUC ${value.toFixed(3)})`,
      ),
    ],
    [
      'Late flights, forecast and observed',
      formatIfKnown(
        metric('forecast'),
        (value) => `${percent(value, locale)} and ${percent(metric('observed') ?? 0, locale)}`,
      ),
    ],
    [
      ACCURACY_NAMES.calibration,
      formatIfKnown(
        metric('ece'),
        (value) => `${figure(100 * value, locale, 2)} percentage points`,
      ),
    ],
    [
      ACCURACY_NAMES.skill,
      formatIfKnown(metric('skill'), (value) => `${percent(value, locale)} lower (Brier skill)`),
    ],
  ];
  return rows.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, Content]],
  );
}

function formatIfKnown(
  value: number | undefined,
  write: (value: number) => string,
): string | undefined {
  return value === undefined ? undefined : write(value);
}

function trainingFacts(
  { coverage, months }: ModelBody['trained_on'],
  { version, features, created_at }: ModelBody,
  { locale }: Frame,
): [string, Content][] {
  return [
    ...(coverage
      ? ([
          ['Flights', figure(coverage.flights, locale)],
          [
            'Months',
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
      'Inputs per flight',
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
