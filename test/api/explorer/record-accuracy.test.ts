import test from 'ava';
import { pageDocument } from '../../../api/explorer/document.ts';
import { MODEL_EXAMPLE } from '../../../api/openapi/model-example.ts';
import type { RecordAccuracyBody } from '../../../api/schemas/record-accuracy.ts';

/** Draws the page about accuracy with these records, as text without marks. */
function pageWith(providers: RecordAccuracyBody[]): string {
  const page = pageDocument({
    path: '/model',
    json: JSON.stringify({ ...MODEL_EXAMPLE, providers }),
    frame: { address: '/model', site: 'http://localhost', locale: 'en-GB' },
    files: { script: '', theme: '', style: '', fonts: [] },
  });
  const [body = ''] = /<main.*<\/main>/s.exec(page) ?? [];
  return body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

const FIGURES = {
  ...{ flights: 57_036, forecast: 0.0464, actual: 0.0264, auc: 0.645, log_loss: 0.11983 },
  ...{ brier: 0.02509, skill: -0.024, calibration_error: 0.02 },
  ...{ log_loss_over_rates: 0.00376, standard_error: 0.00075 },
};

test('the page has the figures of each record and says if a simple forecast was better', (t) => {
  const page = pageWith([
    {
      ...{ provider: 'anac', title: 'ANAC', state: 'failed', why: 'the former rates are better' },
      measured: {
        trained_on: { first_month: '2020-04', last_month: '2020-10' },
        ...{ tested_on: ['2021-03', '2021-04'], measured_share: 0.951 },
        ...{ with_hour: FIGURES, without_hour: FIGURES },
        score_reliability: MODEL_EXAMPLE.score_reliability!,
      },
    },
    { provider: 'zrh', title: 'Zurich', state: 'unmeasured', why: 'too few', measured: null },
  ]);
  for (const text of [
    'A simple forecast was better : the former rates are better.',
    'Mar 2021, Apr 2021; forecast from the flights of Apr 2020 to Oct 2020',
    '57,036 (95.1% of the flights of these months)',
    'AUC 0.645',
    '4.6% and 2.6%',
    '2.4% higher (Brier skill)',
    '+0.0038 compared with',
    'The four bands, ANAC',
    'Zurich Result Not measured : too few.',
  ]) {
    t.true(page.includes(text), text);
  }
  t.false(pageWith([]).includes('Flights of other records'));
});
