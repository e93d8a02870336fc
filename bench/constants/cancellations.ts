import path from 'node:path';
import { fitRidge } from '../../models/train/ridge.ts';
import { SEED_DIR } from '../../jobs/cli/program/arguments.ts';
import { logit } from '../../warehouse/ground/log-odds.ts';
import { round, sum } from '../../warehouse/ground/numbers.ts';
import { openDatabase } from '../../warehouse/connect.ts';

/**
 * The weights for forecasts of cancellations, one for each kind of group. The group's past log-odds of cancellation are
 * multiplied by the weight to forecast the group's later log-odds. `weight` is the mean over the histories, and `error`
 * is one standard error.
 */
export type CancellationWeights = Record<
  (typeof GROUPS)[number],
  { weight: number; error: number }
> & {
  histories: number;
};

const GROUPS = ['airline', 'airport', 'airline at airport'] as const;

/** Months from the end of a history to the first forecast month. The gap exists because the table is published late. */
const LAG = 2;
/** Number of months that are forecast. */
const AHEAD = 6;

/** Prior strength of a ratio of actual to expected cancellations: this number of cancelled flights is added to both. */
const PRIOR_CANCELLED = 2;
const ROUNDS = 4;

type Row = { month: number; airline: number; airport: number; flights: number; cancelled: number };

/**
 * Fits how much cancellations differ between airlines, between airports, and between airlines at the same airport. Uses
 * `months` months of the delay-cause table. Returns the weights with which these differences forecast the next
 * half-year best. Each month has its own overall level. Like the calculation of levels, leaves out histories and
 * half-years that overlap the pandemic.
 */
export async function cancellationWeights(months: number): Promise<CancellationWeights> {
  const rows = await readUsualMonths();
  const last = rows.at(-1)?.month ?? 0;
  const weights: number[][] = [];
  for (let cut = months + LAG; cut + AHEAD <= last + 1; cut += AHEAD) {
    const history = rows.filter(({ month }) => month >= cut - LAG - months && month < cut - LAG);
    const later = rows.filter(({ month }) => month >= cut && month < cut + AHEAD);
    const complete = new Set([...history, ...later].map(({ month }) => month)).size;
    if (complete === months + AHEAD) weights.push(fitWeights(fitEffects(history), later));
  }
  const meanAt = (at: number) => {
    const values = weights.map((row) => row[at] as number);
    const mean = sum(values) / values.length;
    const variance = sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1);
    return { weight: round(mean, 2), error: round(Math.sqrt(variance / values.length), 2) };
  };
  const means = Object.fromEntries(GROUPS.map((name, at) => [name, meanAt(at)]));
  return { ...means, histories: weights.length } as CancellationWeights;
}

type Ratio = (row: Row) => number;

type Effects = (row: Row) => [number, number, number];

/**
 * Fits the effects, in log-odds, of airlines, of airports, and of airlines at airports. Each effect is the part that
 * the other two effects do not explain.
 */
function fitEffects(rows: Row[]): Effects {
  const rate = rateOf(rows);
  const ratios = (key: Ratio, expected: Ratio) => {
    const counts = new Map<number, [number, number]>();
    for (const row of rows) {
      const count = counts.get(key(row)) ?? [PRIOR_CANCELLED, PRIOR_CANCELLED];
      counts.set(key(row), [count[0] + row.cancelled, count[1] + row.flights * expected(row)]);
    }
    return (row: Row) => {
      const [actual, predicted] = counts.get(key(row)) ?? [1, 1];
      return actual / predicted;
    };
  };
  let airline: Ratio = () => 1;
  let airport: Ratio = () => 1;
  for (let done = 0; done < ROUNDS; done++) {
    const airports = airport;
    const airlines = ratios(
      (row) => row.airline,
      (row) => rate * airports(row),
    );
    airport = ratios(
      (row) => row.airport,
      (row) => rate * airlines(row),
    );
    airline = airlines;
  }
  const pair = ratios(pairKey, (row) => rate * airline(row) * airport(row));
  return (row) => [Math.log(airline(row)), Math.log(airport(row)), Math.log(pair(row))];
}

function rateOf(rows: readonly Row[]): number {
  return sum(rows.map(({ cancelled }) => cancelled)) / sum(rows.map(({ flights }) => flights));
}

function pairKey({ airline, airport }: Row): number {
  return airline * 10_000 + airport;
}

/** Fits the weights with which the effects forecast later months best. */
function fitWeights(effects: Effects, later: Row[]): number[] {
  const levels = new Map<number, number>();
  for (const [month, monthRows] of Map.groupBy(later, (row) => row.month)) {
    levels.set(month, logit(rateOf(monthRows)));
  }
  const { weights } = fitRidge(
    {
      x: Float32Array.from(later.flatMap((row) => effects(row))),
      columns: GROUPS.length,
      trials: Float64Array.from(later, ({ flights }) => flights),
      successes: Float64Array.from(later, ({ cancelled }) => cancelled),
      offset: Float64Array.from(later, ({ month }) => levels.get(month) as number),
    },
    [1, 1, 1],
  );
  return weights;
}

/**
 * Reads the bundled table, with months numbered from 0. Leaves out a month if it has less than four fifths of the
 * flights of the same month in an earlier year.
 */
async function readUsualMonths(): Promise<Row[]> {
  const db = await openDatabase();
  try {
    return await db.rows<Row>(USUAL_MONTHS, { table: path.join(SEED_DIR, 'delay_causes.parquet') });
  } finally {
    db.close();
  }
}

const USUAL_MONTHS = `
  with causes as (
    select make_date(year, month, 1) as month, carrier, airport, arr_flights, arr_cancelled
    from read_parquet($table)
    where arr_flights > 0
  ),
  months as (
    select month, sum(arr_flights) as flights
    from causes
    group by all
  ),
  usual as (
    select month
    from months
    qualify coalesce(flights >= 0.8 * max(flights) over (
      partition by month(month) order by month rows between unbounded preceding and 1 preceding
    ), true)
  )
  select
    date_diff('month', min(month) over (), month)::integer as month,
    (dense_rank() over (order by carrier))::integer as airline,
    (dense_rank() over (order by airport))::integer as airport,
    arr_flights::double as flights,
    arr_cancelled::double as cancelled
  from causes
  inner join usual using (month)
  order by causes.month, carrier, airport`;
