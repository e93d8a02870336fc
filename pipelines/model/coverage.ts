import type { ModelMetadata } from '../../models/onnx/metadata.ts';

type TrainedOn = ModelMetadata['trainedOn'];
type Measure = { what: string; of: (trainedOn: TrainedOn) => number | undefined; least: number };

/**
 * What a model learned from, and the share of the released model's that a wider one has at least. Airports come and go
 * by a few a year and airlines merge; months may be fewer, so flights count least.
 */
const MEASURES: Measure[] = [
  { what: 'airports', of: ({ coverage }) => coverage?.airports, least: 0.8 },
  { what: 'airlines', of: ({ coverage }) => coverage?.carriers, least: 0.5 },
  { what: 'flights', of: ({ coverage }) => coverage?.flights, least: 0.25 },
];

/** All there is to compare where one of them does not say what it learned from. */
const ROWS: Measure = {
  what: 'airline-routes by hour and month',
  of: ({ rows }) => rows,
  least: 0.5,
};

/** In what a model knows materially less than the released one; undefined when it does not. */
export function narrowerText(candidate: TrainedOn, released: TrainedOn): string | undefined {
  const isTold = candidate.coverage !== undefined && released.coverage !== undefined;
  const narrower = (isTold ? MEASURES : [ROWS]).flatMap(({ what, of, least }) => {
    const [own, theirs] = [of(candidate) ?? 0, of(released) ?? 0];
    return own < theirs * least ? [`${count(own)} ${what}, not ${count(theirs)}`] : [];
  });
  if (narrower.length === 0) return undefined;
  return `it learned from ${narrower.join(', from ')} like the released model`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
