import test from 'ava';
import { modelsText, type Models } from '../../../../jobs/cli/status/models.ts';
import type { Figures } from '../../../../models/evaluate/metrics.ts';

const FIGURES: Figures = {
  n: 39_270,
  forecast: 0.1,
  observed: 0.08,
  auc: 0.6402,
  logLoss: 0.27,
  brier: 0.07272,
  skill: 0.03534,
  ece: 0.02,
  eceAtOwnLevel: 0.005,
};
const TRIAL = {
  months: ['2023-09', '2023-10'],
  candidate: FIGURES,
  previous: { ...FIGURES, brier: 0.07278, version: 'b0b0b0b0b0b0' },
};
const COVERAGE = {
  first: '2023-01',
  last: '2023-10',
  flights: 184_000,
  airports: 96,
  carriers: 12,
  routes: 150,
};

const MODELS: Models = {
  served: 'b0b0b0b0b0b0',
  next: 'abcabcabcabc',
  pinned: null,
  withdrawn: ['def0def0def0'],
  models: [
    {
      version: 'def0def0def0',
      origin: 'released',
      refused: 'model.onnx is missing',
    },
    {
      version: 'abcabcabcabc',
      origin: 'released',
      card: { isReleased: true, why: 'released: it is better', trial: TRIAL },
      trainedOn: {
        months: ['2023-09', '2023-10'],
        rows: 9,
        dataSha256: '',
        coverage: COVERAGE,
      },
    },
    {
      version: 'b0b0b0b0b0b0',
      origin: 'bundled',
      trainedOn: { months: ['2018-01', '2018-02'], rows: 9, dataSha256: '' },
    },
  ],
  trainings: [
    {
      at: '2026-11-22T02:31:00.000Z',
      outcome: 'released',
      why: 'released: it is better',
      version: 'abcabcabcabc',
      months: ['2023-09', '2023-10'],
      coverage: COVERAGE,
      trial: TRIAL,
    },
    { at: '2026-11-21T02:31:00.000Z', outcome: 'failed', why: 'no library' },
  ],
};

/** The cells of the row whose first cell starts with this text. */
function row(text: string, first: string): string[] {
  const line = text.split('\n').find((candidate) => candidate.includes(`│ ${first}`)) ?? '';
  return line
    .split('│')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

test('each model is shown with its state, training data and accuracy', (t) => {
  const text = modelsText(MODELS);
  t.deepEqual(row(text, 'abcabcabcabc'), [
    'abcabcabcabc',
    'next publish, released',
    '2 months from 2023-09 to 2023-10',
    '184,000 flights, 96 airports, 12 airlines',
    '39,270 flights, 2023-09 to 2023-10',
    '0.640',
    '0.035',
    '0.07272',
    '0.07278',
  ]);
  t.deepEqual(row(text, 'b0b0b0b0b0b0').slice(0, 4), [
    'b0b0b0b0b0b0',
    'served, bundled',
    '2 months from 2018-01 to 2018-02',
    '',
  ]);
  t.deepEqual(row(text, 'def0def0def0').slice(1, 3), [
    'withdrawn, unusable, released',
    'model.onnx is missing',
  ]);
});

test('a pinned model is marked, also the bundled model', (t) => {
  const pinned = { ...MODELS, next: 'b0b0b0b0b0b0', pinned: 'bundled' };
  t.is(row(modelsText(pinned), 'b0b0b0b0b0b0')[1], 'served, pinned, bundled');
  t.is(
    row(modelsText({ ...MODELS, pinned: 'abcabcabcabc' }), 'abcabcabcabc')[1],
    'next publish, pinned, released',
  );
});

test('the last trainings are shown below the models, each with its reason', (t) => {
  const text = modelsText(MODELS);
  t.is(row(text, '2026-11-22 02:31 UTC')[1], 'released abcabcabcabc');
  t.is(row(text, '2026-11-21 02:31 UTC')[1], 'failed');
  t.regex(
    text,
    /\n2026-11-22 02:31 UTC {2}released: it is better\n2026-11-21 02:31 UTC {2}no library\n$/,
  );
  t.regex(
    modelsText({ ...MODELS, trainings: [] }),
    /No training yet\. The nightly run trains after/,
  );
});
