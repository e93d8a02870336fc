import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { ingestFile } from '../../../../jobs/cli/commands/ingest.ts';
import { SEED_OPTIONS } from '../../../../jobs/cli/run/seed-due.ts';
import { withJobs } from '../../../../jobs/cli/session.ts';
import { readManifests } from '../../../../warehouse/lake/lake.ts';
import { dataPaths } from '../../../../warehouse/paths.ts';
import { SOME_FLIGHTS } from '../../helpers/pipeline-world.ts';
import { commandsHere, contextHere, workersHere } from '../../helpers/program-here.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

test('a newer bundled history does not load a month that an operator dropped', async (t) => {
  const dataDir = await tempDir(t);
  const settings = await workersHere(t, dataDir);
  const run = commandsHere(settings);
  const file = join(dataDir, 'flights.csv');
  await writeFile(file, SOME_FLIGHTS);
  await run('ingest', file);
  t.is((await run('drop', '2018-07')).code, 0);
  await writeFile(file, `${SOME_FLIGHTS}\n`);
  const context = contextHere(settings).context();
  const { report, failure } = await withJobs(context, 'run', (session) =>
    ingestFile(context, session, [file], SEED_OPTIONS),
  );
  t.is(failure, undefined);
  t.is(report?.months[0]?.outcome, 'dropped');
  t.deepEqual(await readManifests(dataPaths(dataDir).lakeDir), []);
});
