import type { Columns } from './arrow.ts';
import { codesToNumber, numberToCodes, appendCodeAt, EMPTY_CODES } from './code-number.ts';
import { createNumberIndex } from './number-index.ts';
import type { AirlineRoute } from './types.ts';

/** Looks up the rows of airline-routes in a table that is sorted by route, so that the rows of a route are adjacent. */
export type RouteRows = {
  rowCount: number;
  /** Returns the row of an airline-route; -1 if the table does not have it. */
  rowOf: (origin: string, dest: string, carrier: string) => number;
  /** Returns the rows `[from, until)` of a route; empty if the table does not have it. */
  spanOf: (origin: string, dest: string) => readonly [from: number, until: number];
  carrierAt: (row: number) => string;
  /** All airline-routes, in the order of the table. */
  airlineRoutes: () => Generator<AirlineRoute>;
};

/** Indexes only the routes. A route has few airlines, which are searched one by one. */
export function routeRowsOf(columns: Columns): RouteRows {
  const { rowCount } = columns;
  const [origins, dests] = [columns.bytes('origin'), columns.bytes('dest')];
  const carriers = columns.text('carrier');
  const routes = createNumberIndex();
  const numbers: number[] = [];
  const starts: number[] = [];
  for (let row = 0; row < rowCount; row++) {
    const number = appendCodeAt(appendCodeAt(EMPTY_CODES, origins, row), dests, row);
    if (number === numbers.at(-1)) continue;
    routes.set(number, numbers.length);
    numbers.push(number);
    starts.push(row);
  }
  starts.push(rowCount);
  const findRow = (origin: string, dest: string, carrier: string): number => {
    const route = routes.get(codesToNumber(origin, dest));
    if (route === -1) return -1;
    const until = starts[route + 1] as number;
    for (let row = starts[route] as number; row < until; row++) {
      if (carriers[row] === carrier) return row;
    }
    return -1;
  };
  // Cache the last row, because several steps of a score look up the same row. `memoizeLast` is not used, because it
  // would take as long as the search.
  let last = { origin: '', dest: '', carrier: '', row: -1 };
  return {
    rowCount,
    rowOf: (origin, dest, carrier) => {
      const isSame = carrier === last.carrier && dest === last.dest && origin === last.origin;
      if (!isSame) last = { origin, dest, carrier, row: findRow(origin, dest, carrier) };
      return last.row;
    },
    spanOf: (origin, dest) => {
      const route = routes.get(codesToNumber(origin, dest));
      return route === -1 ? [0, 0] : [starts[route] as number, starts[route + 1] as number];
    },
    carrierAt: (row) => carriers[row] as string,
    airlineRoutes: function* () {
      for (const [route, number] of numbers.entries()) {
        const codes = numberToCodes(number);
        const [origin, dest] = [codes.slice(0, 3), codes.slice(3)];
        for (let row = starts[route] as number; row < (starts[route + 1] as number); row++) {
          yield { origin, dest, carrier: carriers[row] as string };
        }
      }
    },
  };
}
