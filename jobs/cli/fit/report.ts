import Table from 'cli-table3';

/** Log loss of a candidate in one held-out month; `flights` weighs the month. */
export type Fold = { month: string; flights: number; losses: Map<string, number> };

/** How a candidate fared in one history against the reference candidate. */
export type Outcome = {
  candidate: string;
  /** Mean log loss over all flights less that of the reference, in 1/10,000 nat; negative is better. */
  lossDifference: number;
  /** Held-out months in which it was better, of all. */
  better: number;
  months: number;
};

/** Every candidate of the folds against the reference, in their order. */
export function compare(folds: readonly Fold[], reference: string): Outcome[] {
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

/** One line per candidate, one column per history: difference in log loss, and months it was better in. */
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
      const found = outcomes.find((one) => one.candidate === candidate);
      return found ? `${signed(found.lossDifference)} (${found.better}/${found.months})` : '';
    });
    table.push([candidate, ...cells]);
  }
  return table.toString();
}

function signed(number: number): string {
  return `${number > 0 ? '+' : ''}${number.toFixed(2)}`;
}
