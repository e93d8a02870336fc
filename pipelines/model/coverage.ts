import type { ModelMetadata } from '../../models/onnx/metadata.ts';

type TrainedOn = ModelMetadata['trainedOn'];
type Measure = {
  name: string;
  valueOf: (trainedOn: TrainedOn) => number | undefined;
  minShare: number;
};

/**
 * Measures of the training data. For each measure, the candidate must reach at least `minShare` of the released model's
 * value. A small loss is normal, because a few airports change each year and airlines merge. Flights have the lowest
 * limit, because a training may have fewer months.
 */
const MEASURES: Measure[] = [
  { name: 'airports', valueOf: ({ coverage }) => coverage?.airports, minShare: 0.8 },
  { name: 'airlines', valueOf: ({ coverage }) => coverage?.carriers, minShare: 0.5 },
  { name: 'flights', valueOf: ({ coverage }) => coverage?.flights, minShare: 0.25 },
];

/** The only measure if the metadata of either model has no coverage. */
const ROWS: Measure = {
  name: 'airline-routes by hour and month',
  valueOf: ({ rows }) => rows,
  minShare: 0.5,
};

/**
 * Describes the measures in which a candidate has materially less training data than the released model; undefined if
 * there are none.
 */
export function describeNarrower(candidate: TrainedOn, released: TrainedOn): string | undefined {
  const hasCoverage = candidate.coverage !== undefined && released.coverage !== undefined;
  const narrowerParts = (hasCoverage ? MEASURES : [ROWS]).flatMap(({ name, valueOf, minShare }) => {
    const [own, theirs] = [valueOf(candidate) ?? 0, valueOf(released) ?? 0];
    return own < theirs * minShare
      ? [`${formatCount(own)} ${name} (released model: ${formatCount(theirs)})`]
      : [];
  });
  if (narrowerParts.length === 0) return undefined;
  return `it was trained on ${narrowerParts.join(', ')}`;
}

function formatCount(number: number): string {
  return number.toLocaleString('en');
}
