import { execFile, spawnSync } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tempDir } from '../../../jobs/helpers/temp-dir.ts';
import { SOME_KEY } from '../../helpers/app.ts';
import { FLIGHT, type Case } from './world.ts';

const run = promisify(execFile);

/** What a page shows is taken along as figures, files and calls. */
export const takingAlong: Record<string, Case> = {
  'every picture has its table with the figures of the API, and is taken along as a file': async (
    t,
    { open, dataAt },
  ) => {
    const { page, complaints } = await open(t, FLIGHT);
    const { score, months } = await dataAt(page, FLIGHT);
    const column = (id: string, of: number) =>
      page.locator(`#${id} tbody tr td:nth-of-type(${of})`).allTextContents();
    t.deepEqual(
      (await column('hours', 1)).map(Number),
      score.by_hour.map((hour) => hour.score),
    );
    t.deepEqual(
      (await column(`month-${months[0]!.month}`, 1)).map(Number),
      months[0]!.days.map((day) => day.score),
    );
    const shares = (await column('outlook', 2)).map((text) => Number.parseFloat(text) / 100);
    t.deepEqual(
      shares.map((share) => share.toFixed(4)),
      Object.values(score.outlook!).map((share) => share.toFixed(4)),
    );
    const points = (await column('contributions', 1))
      .slice(0, -1)
      .map((text) => Number(text.replace('−', '-')));
    t.true(Math.abs(points.reduce((sum, one) => sum + one, 0) - score.score) < 1e-9, 'it adds up');
    const saved = async (kind: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.click(`[data-save=${kind}][data-of=hours]`),
      ]);
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    };
    const csv = await saved('csv');
    t.is(csv.name, 'headwind-hours.csv');
    t.is(String(csv.bytes).split('\r\n').length, 25);
    t.true(String(csv.bytes).startsWith('Departure,Score,Label,Share of its flights\r\n00:00,'));
    const svg = String((await saved('svg')).bytes);
    t.regex(svg, /^<svg [^>]*viewBox="0 0 384 200"/);
    t.false(svg.includes('style='));
    t.is((await saved('png')).bytes.subarray(1, 4).toString(), 'PNG');
    t.is(await page.locator('figure').count(), await page.locator('figure table').count());
    t.deepEqual(complaints, []);
  },
  'what is shown as a call is a call: each runs as it is copied': async (t, { open, dataAt }) => {
    const { page, context } = await open(t, FLIGHT);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('[data-copy=call-0-curl]');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    t.is(await page.locator('#call-0-curl').textContent(), copied);
    const folder = await tempDir(t);
    const client = (name: string) =>
      fileURLToPath(new URL(`../../../../api/clients/${name}`, import.meta.url));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const clients = ['headwind.ts', 'headwind.py'];
    await Promise.all(clients.map((name) => copyFile(client(name), join(folder, name))));
    const env = { ...process.env, HEADWIND_KEY: SOME_KEY };
    const { score } = await dataAt(page, FLIGHT);
    const calls = await page.locator('.calls details').count();
    for (let call = 0; call < calls; call++) {
      const curl = (await page.locator(`#call-${call}-curl`).textContent()) ?? '';
      const { stdout } = await run('sh', ['-c', curl], { env, cwd: folder });
      t.true(/"(score|days|airlines)":/.test(stdout), stdout.slice(0, 80));
      if (call === 0) t.deepEqual(JSON.parse(stdout), score as unknown);
    }
    await writeFile(
      join(folder, 'call.ts'),
      (await page.locator('#call-0-typescript').textContent()) ?? '',
    );
    const typescript = await run(process.execPath, ['call.ts'], { env, cwd: folder });
    t.true(typescript.stdout.includes(`score: ${score.score},`));
    if (spawnSync('python3', ['--version']).status !== 0) return;
    const python = (await page.locator('#call-0-python').textContent()) ?? '';
    t.true(
      (await run('python3', ['-c', python], { env, cwd: folder })).stdout.includes(
        `'score': ${score.score},`,
      ),
    );
  },
};
