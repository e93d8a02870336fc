import type { Columns } from './arrow.ts';
import { codesNumber, codesOf, numberAfterRow, START } from './code-number.ts';
import { createNumberIndex } from './number-index.ts';
import type { AirlineRoute } from './types.ts';

/** Where the rows of each airline-route are, in a table that is sorted by route: those of a route lie together. */
export type RouteRows = {
  rowCount: number;
  /** -1 where the table has no such row. */
  rowOf: (origin: string, dest: string, carrier: string) => number;
  /** Rows `[from, until)` of the route; the two are equal where it has none. */
  spanOf: (origin: string, dest: string) => readonly [from: number, until: number];
  carrierAt: (row: number) => string;
  /** In the order of the table. */
  airlineRoutes: () => Generator<AirlineRoute>;
};

/** The airlines of a route are few: they are looked through, and an index holds the routes alone. */
export function routeRowsOf(columns: Columns): RouteRows {
  const { rowCount } = columns;
  const [origins, dests] = [columns.bytes('origin'), columns.bytes('dest')];
  const carriers = columns.text('carrier');
  const routes = createNumberIndex();
  const numbers: number[] = [];
  const starts: number[] = [];
  for (let row = 0; row < rowCount; row++) {
    const number = numberAfterRow(numberAfterRow(START, origins, row), dests, row);
    if (number === numbers.at(-1)) continue;
    routes.set(number, numbers.length);
    numbers.push(number);
    starts.push(row);
  }
  starts.push(rowCount);
  return {
    rowCount,
    rowOf: (origin, dest, carrier) => {
      const route = routes.get(codesNumber(origin, dest));
      if (route === -1) return -1;
      const until = starts[route + 1] as number;
      for (let row = starts[route] as number; row < until; row++) {
        if (carriers[row] === carrier) return row;
      }
      return -1;
    },
    spanOf: (origin, dest) => {
      const route = routes.get(codesNumber(origin, dest));
      return route === -1 ? [0, 0] : [starts[route] as number, starts[route + 1] as number];
    },
    carrierAt: (row) => carriers[row] as string,
    airlineRoutes: function* () {
      for (const [route, number] of numbers.entries()) {
        const codes = codesOf(number);
        const [origin, dest] = [codes.slice(0, 3), codes.slice(3)];
        for (let row = starts[route] as number; row < (starts[route + 1] as number); row++) {
          yield { origin, dest, carrier: carriers[row] as string };
        }
      }
    },
  };
}
