import Table from 'cli-table3';

/** Log loss of each candidate in one test month. `flights` is the weight of the month. */
export type Fold = { month: string; flights: number; losses: Map<string, number> };

/** Result of a candidate in one history, relative to the reference candidate. */
export type Outcome = {
  candidate: string;
  /** Mean log loss over all flights minus the mean of the reference, in 1/10,000 nat; negative is better. */
  lossDifference: number;
  /** Number of test months in which the candidate was better than the reference. */
  better: number;
  months: number;
};

/** Compares every candidate of the folds with the reference, in the order of the folds. */
export function compareCandidates(folds: readonly Fold[], reference: string): Outcome[] {
  const flights = folds.reduce((sum, fold) => sum + fold.flights, 0);
  const names = [...(folds[0]?.losses.keys() ?? [])];
  return names.map((candidate) => {
    const differences = folds.map(({ losses, flights }) => ({
      flights,
      by: (losses.get(candidate) ?? 0) - (losses.get(reference) ?? 0),
    }));
    const total = differences.reduce((sum, one) => sum + one.flights * one.by, 0);
    return {
      candidate,
      lossDifference: (10_000 * total) / flights,
      better: differences.filter(({ by }) => by < 0).length,
      months: folds.length,
    };
  });
}

/**
 * Formats a table with a row per candidate and a column per history. Each cell shows the difference in log loss and the
 * number of months with a better result.
 */
export function outcomeTable(
  title: string,
  histories: readonly { name: string; outcomes: readonly Outcome[] }[],
): string {
  const table = new Table({
    head: [title, ...histories.map(({ name }) => name)],
    style: { head: [], border: [] },
  });
  for (const { candidate } of histories[0]?.outcomes ?? []) {
    const cells = histories.map(({ outcomes }) => {
      const outcome = outcomes.find((one) => one.candidate === candidate);
      return outcome
        ? `${formatSigned(outcome.lossDifference)} (${outcome.better}/${outcome.months})`
        : '';
    });
    table.push([candidate, ...cells]);
  }
  return table.toString();
}

function formatSigned(number: number): string {
  return `${number > 0 ? '+' : ''}${number.toFixed(2)}`;
}
