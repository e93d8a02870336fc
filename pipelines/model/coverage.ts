import type { ModelMetadata } from '../../models/onnx/metadata.ts';

type TrainedOn = ModelMetadata['trainedOn'];
type Measure = {
  name: string;
  valueOf: (trainedOn: TrainedOn) => number | undefined;
  minShare: number;
};

/**
 * Measures of the training data. For each measure, the candidate's value must be at least this share of the released
 * model's value. A small loss is normal, because a few airports change each year and airlines merge. A training may
 * have fewer months, so flights have the lowest limit.
 */
const MEASURES: Measure[] = [
  { name: 'airports', valueOf: ({ coverage }) => coverage?.airports, minShare: 0.8 },
  { name: 'airlines', valueOf: ({ coverage }) => coverage?.carriers, minShare: 0.5 },
  { name: 'flights', valueOf: ({ coverage }) => coverage?.flights, minShare: 0.25 },
];

/** The only measure when one of the models has no coverage in its metadata. */
const ROWS: Measure = {
  name: 'airline-routes by hour and month',
  valueOf: ({ rows }) => rows,
  minShare: 0.5,
};

/**
 * Describes the measures in which a model was trained on materially less than the released model; undefined when there
 * are no such measures.
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
