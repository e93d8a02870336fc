import test from 'ava';
import { buildLineage } from '../../jobs/cli/catalogue/lineage-graph.ts';
import { NO_USER_SQL } from '../../warehouse/build/user-sql.ts';
import { SINCE, somePages, SUMMARY } from './helpers/ops.ts';

const OWN = {
  ...{ name: 'marts/own', file: '/own/marts/own.sql', reads: ['marts/network'] },
  sql: '-- One row for each own thing.\ncreate or replace table marts.own as\nselect 1 from marts.network',
};
const BROKEN = { name: 'marts/broken', file: '/own/marts/broken.sql', why: 'it has <no> header' };

test('the page of the lineage draws every model and check, and describes each', async (t) => {
  const lineage = buildLineage({ ...NO_USER_SQL, models: [OWN], problems: [BROKEN] });
  const checks = [
    { check: 'marts/own', severity: 'warn' as const, failures: 1, problem: 'Binder Error' },
  ];
  const { call } = await somePages(t, {
    lineage: async () => lineage,
    summary: async () => ({ ...SUMMARY, builds: [{ at: SINCE, outcome: 'done', checks }] }),
  });
  const { status, body } = await call('/ops/lineage');
  t.is(status, 200);
  t.regex(body, /<p>[^<`]*<code>movement_sum \/ day_sum<\/code>/);
  t.false(/<(p|dd)>[^<]*`/.test(body), 'no backticks');
  const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  for (const { name } of lineage.nodes) t.true(ids.has(name), name);
  const links = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  t.deepEqual(
    links.filter((link) => !ids.has(link)),
    [],
  );
  t.is([...body.matchAll(/<rect /g)].length, lineage.nodes.length);
  t.is([...body.matchAll(/<path /g)].length, lineage.edges.length);
  t.regex(body, /2 of them are your own, from MODELS_DIR/);
  t.regex(body, /it has &lt;no> header/);
  t.is([...body.matchAll(/class="mart own broken"/g)].length, 2);
  t.regex(body, /Binder Error/);
});

test('the page reports that no worker has written the lineage yet', async (t) => {
  const { call } = await somePages(t);
  const { status, body } = await call('/ops/lineage');
  t.is(status, 503);
  t.regex(body, /No worker has reported yet/);
});
