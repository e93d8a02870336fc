import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { appendNight } from '../../../../warehouse/lake/forecasts/append-night.ts';
import { HEAD, listForecastFiles, readHead } from '../../../../warehouse/lake/forecasts/nights.ts';
import { verifyNights } from '../../../../warehouse/lake/forecasts/verify-nights.ts';
import { aHost, aWorld } from '../shared/helpers/hosts.ts';

type Host = Awaited<ReturnType<typeof aHost>>;

function append({ lakeDir, lake }: Pick<Host, 'lakeDir' | 'lake'>, night: string, text = night) {
  return appendNight({
    ...{ lakeDir, home: lake, night },
    freeze: async (file) => {
      await writeFile(file, text);
      const frozenAt = `${night}T03:20:00.000Z`;
      return { rows: 1, frozenAt, storeVersion: 'store', codeVersion: 'code' };
    },
  });
}

const nightsOf = async ({ lakeDir }: Pick<Host, 'lakeDir'>) =>
  (await readHead(lakeDir)).nights.map(({ night }) => night);

test('two machines extend one chain, and each has every byte of it', async (t) => {
  const world = await aWorld(t);
  const [one, other] = [await aHost(t, world), await aHost(t, world)];
  await append(one, '2026-11-01');
  await append(other, '2026-11-02');
  await append(one, '2026-11-03');
  for (const host of [one, other]) {
    await host.lake.refresh();
    await host.lake.fetch();
    t.deepEqual(await nightsOf(host), ['2026-11-01', '2026-11-02', '2026-11-03']);
    t.like(await verifyNights(host.lakeDir), { checked: 3, damaged: [] });
  }
  const newMachine = await aHost(t, world);
  await newMachine.lake.refresh();
  await newMachine.lake.fetch();
  t.deepEqual(await verifyNights(newMachine.lakeDir), await verifyNights(one.lakeDir));
});

test('two machines in the same night freeze its forecasts once', async (t) => {
  const world = await aWorld(t);
  const one = await aHost(t, world);
  await append(one, '2026-11-01');
  let isFirst = true;
  const other = await aHost(t, world, {
    pointers: (real) => ({
      ...real,
      move: async (unit, ...move) => {
        // The other machine links the night just before.
        if (unit === HEAD && isFirst) {
          isFirst = false;
          await append(one, '2026-11-02', 'the other forecasts');
        }
        return real.move(unit, ...move);
      },
    }),
  });
  t.false((await append(other, '2026-11-02', 'these forecasts')).isNew);
  for (const host of [one, other]) {
    await host.lake.refresh();
    await host.lake.fetch();
    const files = await listForecastFiles(host.lakeDir);
    t.is((await readFile(files[1] ?? '')).toString(), 'these forecasts');
    t.like(await verifyNights(host.lakeDir), { checked: 2, damaged: [] });
  }
  const headOf = (host: Host) => readFile(path.join(host.lakeDir, HEAD, 'manifest.json'));
  t.deepEqual(await headOf(one), await headOf(other));
});
