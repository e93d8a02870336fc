import type { RecordAccuracyBody } from '../../../schemas/record-accuracy.ts';
import { factList } from '../facts.ts';
import { figure, month as monthText, percent, signedFigure } from '../format.ts';
import { html, type Content } from '../html.ts';
import type { Frame } from '../page.ts';
import { bandBars } from './band-bars.ts';

const STATE_TEXTS: Record<RecordAccuracyBody['state'], string> = {
  passed: 'Better than simple forecasts',
  failed: 'A simple forecast was better',
  unmeasured: 'Not measured',
};

/** Names of the figures that the model and the other records have in common. */
export const ACCURACY_NAMES = {
  calibration: 'Average gap between forecast and outcome, by group of flights',
  skill: 'Error, compared with the same forecast for every flight',
};

/** Shows the accuracy of other providers' records. The flights of these records are scored without the model. */
export function recordAccuracies(providers: readonly RecordAccuracyBody[], frame: Frame) {
  if (providers.length === 0) return undefined;
  return html`<h2>Flights of other records</h2>
    <p class="note">
      The model is not used for the data sources below. Each flight is scored from the statistics of
      its own source. To measure accuracy, we forecast the flights of the newest months from the
      earlier months, and compare with the outcomes.
    </p>
    ${providers.map((one) => recordSection(one, frame))}`;
}

function recordSection(
  { provider, title, state, why, measured }: RecordAccuracyBody,
  frame: Frame,
) {
  const id = `record-${provider}`;
  const facts: [string, Content][] = [
    ['Result', html`<strong>${STATE_TEXTS[state]}</strong>: ${why}.`],
    ...(measured ? figureFacts(measured, frame) : []),
  ];
  return html`<section aria-labelledby=${id}>
    <h3 id=${id}>${title}</h3>
    ${factList(facts)}
    ${
      measured &&
      html`<div class="pictures">
        ${bandBars(
          {
            id: `bands-${provider}`,
            title: `The four bands, ${title}`,
            note: 'Width: share of all flights. Height: how many in 100 were late or cancelled.',
            bands: measured.score_reliability.bands,
          },
          frame,
        )}
      </div>`
    }
  </section>`;
}

function figureFacts(
  measured: NonNullable<RecordAccuracyBody['measured']>,
  { locale }: Frame,
): [string, Content][] {
  const { tested_on, trained_on, with_hour: best, measured_share } = measured;
  const name = (month: string) => monthText(month, locale, 'short');
  return [
    [
      'Months tested',
      `${tested_on.map(name).join(', ')}; forecast from the flights of ${name(trained_on.first_month)} to ${name(trained_on.last_month)}`,
    ],
    [
      'Flights tested',
      `${figure(best.flights, locale)} (${percent(measured_share, locale)} of the flights of these months)`,
    ],
    [
      'Given one late and one on-time flight, the score picks the late one',
      `in ${figure(100 * best.auc, locale)} of 100 pairs (AUC ${figure(best.auc, locale, 3)})`,
    ],
    [
      'Late flights, forecast and observed',
      `${percent(best.forecast, locale)} and ${percent(best.actual, locale)}`,
    ],
    [
      ACCURACY_NAMES.calibration,
      `${figure(100 * best.calibration_error, locale, 2)} percentage points`,
    ],
    [
      ACCURACY_NAMES.skill,
      `${percent(Math.abs(best.skill), locale)} ${best.skill < 0 ? 'higher' : 'lower'} (Brier skill)`,
    ],
    [
      'Log loss',
      `${figure(best.log_loss, locale, 4)}; ${signedFigure(best.log_loss_over_rates, locale, 4)} compared with the airline’s earlier rates on the route`,
    ],
  ];
}
