import test from 'ava';
import { CONNECTION_SETS, readConnections } from '../../../../jobs/cli/fit/connection-cases.ts';
import { aParquet } from '../../../helpers/flight-files.ts';

const flight = (
  [origin, dest, tail]: readonly [string, string, string],
  [dep, arr]: readonly [number, number],
  [depDelay, arrDelay]: readonly [number | null, number | null],
) =>
  `select 2023 as year, 1 as month, 2 as day, 'AS' as carrier, '${tail}' as tailnum, '${origin}' as origin,
     '${dest}' as dest, ${dep} as sched_dep_time, ${arr} as sched_arr_time, ${depDelay}::double as dep_delay,
     ${arrDelay}::double as arr_delay`;

test('a connection is missed if the time left after both delays is shorter than the minimum', async (t) => {
  const file = await aParquet(
    t,
    [
      flight(['PDX', 'SEA', 'N1'], [800, 900], [0, 20]),
      // The arrival is 20 minutes late, so this connection of 60 minutes is 5 minutes too short, unless the departure
      // waits.
      flight(['SEA', 'BOI', 'N2'], [1000, 1100], [4, 0]),
      flight(['SEA', 'GEG', 'N3'], [1000, 1100], [5, 0]),
      // Not connections from the first flight: the same aircraft, a flight back, a cancelled departure, 29 and 241
      // minutes.
      flight(['SEA', 'SFO', 'N1'], [1000, 1200], [0, 0]),
      flight(['SEA', 'PDX', 'N4'], [1000, 1100], [0, 0]),
      flight(['SEA', 'LAX', 'N5'], [1000, 1200], [null, null]),
      flight(['SEA', 'ANC', 'N6'], [929, 1200], [0, 0]),
      flight(['SEA', 'DEN', 'N7'], [1301, 1600], [0, 0]),
      // Passengers of a cancelled flight miss every departure.
      flight(['PDX', 'SEA', 'N8'], [600, 700], [null, null]),
    ].join(' union all '),
  );
  const [, set] = CONNECTION_SETS;
  const found = await readConnections({ ...set!, oneIn: 1 }, file);
  const first = 'PDX-SEA-AS-2023-01-02-8';
  const cancelled = 'PDX-SEA-AS-2023-01-02-6';
  const after = (dest: string, hour: number) => `SEA-${dest}-AS-2023-01-02-${hour}`;
  t.deepEqual(
    found.map(({ before, after: next, plannedMin, isMissed }) => [
      before,
      next,
      plannedMin,
      isMissed,
    ]),
    [
      [cancelled, after('ANC', 9), 149, true],
      [cancelled, after('BOI', 10), 180, true],
      [cancelled, after('GEG', 10), 180, true],
      [cancelled, after('SFO', 10), 180, true],
      [first, after('BOI', 10), 60, true],
      [first, after('GEG', 10), 60, false],
    ],
  );
  const [lost] = found;
  const made = found.at(-1);
  t.like(lost, { day: '2023-01-02', isLost: true, isLate: false });
  t.like(made, { day: '2023-01-02', isLost: false, isLate: false });
});
