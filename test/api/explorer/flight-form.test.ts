import test from 'ava';
import { renderToString } from 'preact-render-to-string';
import { searchEndpoint } from '../../../api/explorer/endpoints/search.ts';
import type { ChoicesData } from '../../../api/explorer/views/choice.ts';
import { problemPage } from '../../../api/explorer/views/shell.ts';
import { someDeps } from '../helpers/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';

test('the suggested airports start with the busiest, and the search finds any airport and airline', async (t) => {
  const deps = someDeps(explorerDeps());
  const search = async (q: string, kind = 'airports') => {
    const { choices } = (await searchEndpoint.answer({ q, kind }, deps)) as ChoicesData;
    return choices.map(({ value }) => value);
  };
  t.deepEqual(await search(''), ['JFK', 'LAX', 'AKL']);
  t.deepEqual(await search('auck'), ['AKL']);
  t.deepEqual(await search('new'), ['JFK', 'AKL']);
  t.deepEqual(await search('xyzzy'), []);
  t.deepEqual(await search('jetblu', 'airlines'), ['B6']);
  t.deepEqual(await search('amercan', 'airlines'), ['AA']);
});

test('an error page keeps the values that the visitor entered', (t) => {
  const valuesAt = (address: string) => {
    const markup = renderToString(problemPage({ status: 404, message: 'Unknown.' }, address));
    return ['origin', 'dest', 'airline', 'date', 'dep_time'].map(
      (name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(markup)?.[1],
    );
  };
  const query = 'origin=Xyzzy&dest=los+angeles&airline=delta&date=2026-03-20&dep_time=07:30';
  const entered = ['Xyzzy', 'los angeles', 'delta', '2026-03-20', '07:30'];
  t.deepEqual(valuesAt(`/flights?${query}`), entered);
  const flight = ['JFK', 'QQQ', 'AA', '2026-03-20', '07:30'];
  t.deepEqual(valuesAt('/flights/JFK-QQQ-AA-2026-03-20?dep_time=07:30'), flight);
  t.deepEqual(valuesAt('/flights/%E0%A4%A'), [
    '%E0%A4%A',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  t.true(valuesAt('/airports/QQQ').every((value) => value === undefined));
});
