import path from 'node:path';
import { fitRidge } from '../../models/train/ridge.ts';
import { SEED_DIR } from '../../jobs/cli/program/arguments.ts';
import { logit } from '../../warehouse/ground/log-odds.ts';
import { round } from '../../warehouse/ground/round.ts';
import { sum } from '../../warehouse/ground/sum.ts';
import { openDatabase } from '../../warehouse/connect.ts';

/** How much of distances in cancellations, in log-odds, was there later; over so many histories, with one standard error. */
export type Kept = Record<(typeof DISTANCES)[number], { kept: number; error: number }> & {
  histories: number;
};

const DISTANCES = ['airline', 'airport', 'airline at airport'] as const;

/** Months from the end of a history to the first that is forecast, as the table comes out, and how many are. */
const LAG = 2;
const AHEAD = 6;

/** Cancelled flights that are added as expected wherever distances are estimated. */
const STRENGTH = 2;
const ROUNDS = 4;

type Row = { month: number; airline: number; airport: number; flights: number; cancelled: number };

/**
 * From so many months of the delay-cause table, forecasts which airlines, airports and airlines at airports have flights
 * cancelled in the half-year after it, each month at its own level, and tells how much of each distance that half-year
 * asks for. Histories and half-years that touch the pandemic are left out, as of levels.
 */
export async function keptOfCancellations(months: number): Promise<Kept> {
  const rows = await usualMonths();
  const last = rows.at(-1)?.month ?? 0;
  const weights: number[][] = [];
  for (let cut = months + LAG; cut + AHEAD <= last + 1; cut += AHEAD) {
    const known = rows.filter(({ month }) => month >= cut - LAG - months && month < cut - LAG);
    const later = rows.filter(({ month }) => month >= cut && month < cut + AHEAD);
    const complete = new Set([...known, ...later].map(({ month }) => month)).size;
    if (complete === months + AHEAD) weights.push(weightsOf(distancesOf(known), later));
  }
  const of = (at: number) => {
    const each = weights.map((one) => one[at] as number);
    const kept = sum(each) / each.length;
    const variance = sum(each.map((one) => (one - kept) ** 2)) / (each.length - 1);
    return { kept: round(kept, 2), error: round(Math.sqrt(variance / each.length), 2) };
  };
  const kept = Object.fromEntries(DISTANCES.map((name, at) => [name, of(at)]));
  return { ...kept, histories: weights.length } as Kept;
}

type Ratio = (row: Row) => number;

type Distances = (row: Row) => [number, number, number];

/** Log-odds by which an airline, an airport and the airline there differ from what the others expect. */
function distancesOf(rows: Row[]): Distances {
  const rate = rateOf(rows);
  const ratios = (key: Ratio, expected: Ratio) => {
    const counts = new Map<number, [number, number]>();
    for (const row of rows) {
      const count = counts.get(key(row)) ?? [STRENGTH, STRENGTH];
      counts.set(key(row), [count[0] + row.cancelled, count[1] + row.flights * expected(row)]);
    }
    return (row: Row) => {
      const [came, due] = counts.get(key(row)) ?? [1, 1];
      return came / due;
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
  const both = ratios(cellOf, (row) => rate * airline(row) * airport(row));
  return (row) => [Math.log(airline(row)), Math.log(airport(row)), Math.log(both(row))];
}

function rateOf(rows: readonly Row[]): number {
  return sum(rows.map(({ cancelled }) => cancelled)) / sum(rows.map(({ flights }) => flights));
}

function cellOf({ airline, airport }: Row): number {
  return airline * 10_000 + airport;
}

/** The weights with which distances tell best what came of later months. */
function weightsOf(distances: Distances, later: Row[]): number[] {
  const levels = new Map<number, number>();
  for (const [month, some] of Map.groupBy(later, (row) => row.month)) {
    levels.set(month, logit(rateOf(some)));
  }
  const { weights } = fitRidge(
    {
      x: Float32Array.from(later.flatMap((row) => distances(row))),
      columns: DISTANCES.length,
      trials: Float64Array.from(later, ({ flights }) => flights),
      successes: Float64Array.from(later, ({ cancelled }) => cancelled),
      offset: Float64Array.from(later, ({ month }) => levels.get(month) as number),
    },
    [1, 1, 1],
  );
  return weights;
}

/** The rows of the table that ships, months numbered from 0; none of months with under four fifths of the flights of such a month before. */
async function usualMonths(): Promise<Row[]> {
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
