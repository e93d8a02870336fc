/** A headline's label and what the classifier made of it, `none` for neither. */
export type Outcome = { label: string; got: string };

export type ClassFigures = {
  label: string;
  count: number;
  precision: number;
  recall: number;
  f1: number;
};

export type Figures = {
  perClass: ClassFigures[];
  /** Mean F1 over the classes, `none` included. */
  macroF1: number;
  /** Share of the headlines that disrupt nothing taken for one that does. */
  falseAlarmRate: number;
};

/** Precision, recall and F1 of each class; a class nothing was taken for has a precision of 0. */
export function figuresOf(outcomes: Outcome[]): Figures {
  const labels = [...new Set(outcomes.map(({ label }) => label))].toSorted();
  const perClass = labels.map((label) => {
    const count = outcomes.filter((one) => one.label === label).length;
    const taken = outcomes.filter(({ got }) => got === label).length;
    const right = outcomes.filter((one) => one.label === label && one.got === label).length;
    const precision = taken === 0 ? 0 : right / taken;
    const recall = right / count;
    const f1 = right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    return { label, count, precision, recall, f1 };
  });
  const none = outcomes.filter(({ label }) => label === 'none');
  return {
    perClass,
    macroF1: perClass.reduce((sum, { f1 }) => sum + f1, 0) / perClass.length,
    falseAlarmRate: none.filter(({ got }) => got !== 'none').length / none.length,
  };
}
