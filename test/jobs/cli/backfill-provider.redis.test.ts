import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readManifest } from '../../../warehouse/lake/lake.ts';
import { providerLakeDir } from '../../../warehouse/paths.ts';
import { listen } from '../../helpers/listen.ts';
import { aCaaFile } from '../helpers/caa-files.ts';
import { programHere } from '../helpers/program-here.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** A page of CAA: links with texts like the real ones, to addresses without a rule. */
const PAGES: Record<string, string> = {
  '/2019/': `<!DOCTYPE html><html><body><ul>
    <li><a class="doc" href="/media/x1abc/annual.csv"><span>2019 Annual Punctuality Statistics Full&nbsp;Analysis
      Arrival Departure</span> (CSV document, 2.1 MB)</a></li>
    <li><a href="/media/x1abc/annual.pdf">2019 Annual Punctuality Statistics Full Analysis (PDF document)</a></li>
    <li><a href="/media/y/2019-03.csv?v=1&amp;w=2">201903 Punctuality Statistics Full Analysis (CSV document)</a></li>
    <li><a href="/media/y/2019-03-ad.csv">201903 Punctuality Statistics Full Analysis Arrival Departure (CSV document)</a></li>
    <li><a href="/media/y/2019-05.csv">201905 Punctuality Statistics Full Analysis Arrival Departure (CSV document)</a></li>
    <li><a href="/contact">Contact</a></li></ul></body></html>`,
  '/2021/': '<!DOCTYPE html><html><body><a href="/data">Our new data portal</a></body></html>',
};
const FILES: Record<string, string> = {
  '/media/x1abc/annual.csv': aCaaFile('2019'),
  '/media/y/2019-03-ad.csv': aCaaFile('201903'),
};

async function aWorld(t: ExecutionContext, env: Record<string, string> = {}) {
  const requests: string[] = [];
  const port = await listen(t, (request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const page = PAGES[path];
    const body = page ?? FILES[path];
    const type = page === undefined ? 'text/csv' : 'text/html; charset=utf-8';
    if (body === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<html>');
    else response.writeHead(200, { 'content-type': type }).end(body);
  });
  const dataDir = join(await tempDir(t), 'data');
  const program = await programHere(t, dataDir, env);
  const run = (from: string, to: string, ...args: string[]) =>
    program('backfill', '--provider', 'caa', '--from', from, '--to', to, ...args);
  return { dataDir, requests, run, program, source: ['--source', `http://127.0.0.1:${port}`] };
}

test.serial('a year of CAA is found by the text of its link, and loaded', async (t) => {
  const { dataDir, run, source, requests } = await aWorld(t);
  const plan = await run('2018', '2019', ...source, '--dry-run');
  t.is(plan.code, 0, plan.err);
  t.regex(plan.out, /│ 2019 +│ http:.*\/media\/x1abc\/annual\.csv │/);
  t.deepEqual(requests, ['/2018/', '/2019/']);
  const { code, out, err } = await run('2018', '2019', ...source);
  t.is(code, 0, err);
  t.regex(out, /│ caa-2019\.csv │ caa_punctuality │ caa 2019 │ +1 │ +1 │ +0 │ written/);
  const own = providerLakeDir(join(dataDir, 'lake'), 'caa');
  t.is((await readManifest(own, '2019-12'))?.periodMonths, 12);
  t.deepEqual(await readdir(join(dataDir, 'downloads')), ['caa-2019.csv', 'caa-2019.csv.json']);
});

test.serial('single months come from their own files; a missing file is a failure', async (t) => {
  const { dataDir, run, source } = await aWorld(t);
  const { code, out } = await run('2019-03', '2019-05', ...source);
  t.is(code, 1);
  t.regex(out, /│ caa-2019-03\.csv │ caa_punctuality │ caa 2019-03 │ +1 │ +1 │ +0 │ written/);
  t.regex(out, /caa-2019-05\.csv: http.*2019-05\.csv is not published: the server answers 404/);
  const own = providerLakeDir(join(dataDir, 'lake'), 'caa');
  t.is((await readManifest(own, '2019-03'))?.source.provider, 'caa');
});

test.serial(
  'a page with a new layout, and requests that cannot be met, have clear errors',
  async (t) => {
    const { run, source, program } = await aWorld(t);
    const changed = await run('2021', '2021', ...source);
    t.is(changed.code, 1);
    t.regex(changed.err, /\/2021\/: has no link whose text is like .* new layout/);
    const none = await run('2018', '2018', ...source);
    t.regex(none.err, /has no files for these months/);
    const range = ['--from', '2019', '--to', '2019'];
    const other = await program('backfill', '--provider', 'zrh', ...range);
    t.regex(
      other.err,
      /Zurich Airport cannot be downloaded .*PROVIDER= can be hkia, bitre, caa or anac/,
    );
    const unknown = await program('backfill', '--provider', 'xyz', ...range);
    t.regex(unknown.err, /No provider has the name "xyz"/);
    const offline = await aWorld(t, { OFFLINE: '1' });
    t.regex((await offline.run('2019', '2019')).err, /OFFLINE=1 is set/);
  },
);
