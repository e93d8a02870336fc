import { join } from 'node:path';
import test from 'ava';
import { backfillProvider } from '../../../jobs/cli/commands/backfill-provider.ts';
import { createHttpGet } from '../../../pipelines/http-get.ts';
import { readManifests } from '../../../warehouse/lake/lake.ts';
import { dataPaths, providerLakeDir } from '../../../warehouse/paths.ts';
import { addDays, dateAt } from '../../../warehouse/ground/dates.ts';
import { listen } from '../../helpers/listen.ts';
import { commandsHere, contextHere, workersHere } from '../helpers/program-here.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test.serial(
  'a backfill of Hong Kong collects its days and loads the requested months, also after a drop',
  async (t) => {
    const port = await listen(t, (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://hk');
      const arrival = searchParams.get('arrival') === 'true';
      const flight = [{ no: 'CX 500', airline: 'CPA' }];
      const place = arrival ? { origin: ['NRT'] } : { destination: ['NRT'] };
      const entry = { time: '08:15', flight, ...place, status: 'At gate 08:20', terminal: 'T1' };
      const day = { date: searchParams.get('date'), arrival, cargo: false, list: [entry] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([day]));
    });
    const dataDir = join(await tempDir(t), 'data');
    const settings = await workersHere(t, dataDir, { HKIA_BASE_URL: `http://127.0.0.1:${port}` });
    const month = addDays(dateAt(Date.now()), -45).slice(0, 7);
    const get = createHttpGet({ pauseMs: 0 });
    const backfill = async (month: string, dryRun = false) => {
      const { context, out } = contextHere(settings);
      const options = { provider: 'hkia', from: month, to: month, dryRun };
      return { code: await backfillProvider(context(), options, get), out: out.text() };
    };
    const plan = await backfill(month, true);
    t.regex(plan.out, /^Plan {5}collect the last 91 days from http:.*, then load their months\n$/);
    const { code, out } = await backfill(month);
    t.is(code, 0);
    t.regex(out, /^Collected 182 new or changed lists of past days/);
    t.regex(out, new RegExp(`hkia_flights │ hkia ${month} │`));
    const own = providerLakeDir(dataPaths(dataDir).lakeDir, 'hkia');
    const months = async () => (await readManifests(own)).map((one) => one.month);
    t.deepEqual(await months(), [month]);
    await commandsHere(settings)('drop', month, '--provider', 'hkia');
    t.deepEqual(await months(), []);
    await backfill(month);
    t.deepEqual(await months(), [month]);
    await t.throwsAsync(backfill('2019-01'), {
      message: /hkia has only the last 91 days: .* make ingest FILE=path/,
    });
  },
);
