import { readFileSync } from 'node:fs';
import test from 'ava';
import { createGuardedFetch } from '../../../pipelines/fetch-guarded.ts';
import { refreshNas } from '../../../pipelines/nas/refresh.ts';
import type { NasStatus } from '../../../warehouse/live/nas.ts';
import { fakeUpstream, FAULTS } from '../../../bench/stage/fake-upstream.ts';
import { sharedData } from '../../../bench/stage/shared-data.ts';

const NOW = new Date('2026-07-29T14:45:00Z');
const fetch = createGuardedFetch({ deadlineMs: 60_000, maxBytes: 2_000_000 });
/** Fetches with a short deadline, for servers that may never answer. */
const impatientFetch = createGuardedFetch({ deadlineMs: 500, maxBytes: 2_000_000 });

test('the status is saved with its fetch time', async (t) => {
  const body = readFileSync(sharedData('nas', 'faa_nas_status_2026-07-29.xml'));
  const { url } = await fakeUpstream(t, () => ({ body }));
  const savedStatuses: NasStatus[] = [];
  const save = async (status: NasStatus) => void savedStatuses.push(status);
  t.deepEqual(await refreshNas({ url, fetch, save, now: () => NOW }), { programs: 2 });
  t.is(savedStatuses[0]?.fetchedAt, '2026-07-29T14:45:00.000Z');
  t.deepEqual(
    savedStatuses[0]?.programs.map(({ airport }) => airport),
    ['SFO', 'SAN'],
  );
});

test('the older form is recognised by its content, and saved in the same way', async (t) => {
  const body = readFileSync(sharedData('nas', 'faa_delays_legacy.json'));
  const { url } = await fakeUpstream(t, () => ({ headers: { 'content-type': 'text/html' }, body }));
  const savedStatuses: NasStatus[] = [];
  const save = async (status: NasStatus) => void savedStatuses.push(status);
  const now = () => new Date('2011-06-22T19:45:00Z');
  t.deepEqual(await refreshNas({ url, fetch, save, now }), { programs: 12 });
  t.like(savedStatuses[0]?.programs[0], { airport: 'ATL', kind: 'stop' });
});

test('after any fault the former status stays', async (t) => {
  const upstream = await fakeUpstream(t, () => ({ body: '' }));
  const save = async () => t.fail();
  for (const trouble of FAULTS) {
    const url = upstream.faultUrl(trouble);
    const refresh = refreshNas({ url, fetch: impatientFetch, save, now: () => NOW });
    await t.throwsAsync(refresh, undefined, trouble);
  }
});

test('without an address nothing is fetched, and the report states it', async (t) => {
  const save = async () => t.fail();
  t.deepEqual(await refreshNas({ url: undefined, fetch, save, now: () => NOW }), {
    programs: 0,
    problem: 'not fetched: NAS_STATUS_URL is not set, or OFFLINE=1 is set',
  });
});
