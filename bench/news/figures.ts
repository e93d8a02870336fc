/** A headline's label and its predicted class; `none` is no disruption. */
export type Outcome = { label: string; predicted: string };

export type ClassFigures = {
  label: string;
  count: number;
  precision: number;
  recall: number;
  f1: number;
};

export type Figures = {
  perClass: ClassFigures[];
  /** Mean F1 over the classes, including `none`. */
  macroF1: number;
  /** Share of the headlines without a disruption that are classified as a disruption. */
  falseAlarmRate: number;
};

/** Computes precision, recall and F1 of each class; the precision of a class that was never predicted is 0. */
export function computeFigures(outcomes: Outcome[]): Figures {
  const labels = [...new Set(outcomes.map(({ label }) => label))].toSorted();
  const perClass = labels.map((label) => {
    const count = outcomes.filter((outcome) => outcome.label === label).length;
    const predictions = outcomes.filter(({ predicted }) => predicted === label).length;
    const correct = outcomes.filter(
      (outcome) => outcome.label === label && outcome.predicted === label,
    ).length;
    const precision = predictions === 0 ? 0 : correct / predictions;
    const recall = correct / count;
    const f1 = correct === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    return { label, count, precision, recall, f1 };
  });
  const harmless = outcomes.filter(({ label }) => label === 'none');
  return {
    perClass,
    macroF1: perClass.reduce((sum, { f1 }) => sum + f1, 0) / perClass.length,
    falseAlarmRate:
      harmless.filter(({ predicted }) => predicted !== 'none').length / harmless.length,
  };
}
