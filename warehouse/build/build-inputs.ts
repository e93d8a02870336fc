import { buildModels, countMarts } from './build.ts';
import { MODELS } from './models.ts';
import { readSql, type Database } from '../connect.ts';
import { EFFECT_FILES, EFFECT_KINDS } from './effects.ts';
import { OUTCOME_FILES } from './outcomes.ts';
import {
  CANCELLED_KINDS,
  DIVERTED_KINDS,
  LATE_KINDS,
  LATE_MONTH_KINDS,
} from '../store/outcome-kinds.ts';
import lateSeasons from './late-seasons.json' with { type: 'json' };
import { sha256 } from '../ground/hashes.ts';
import type { BuildReport } from './reports.ts';
import type { Progress } from '../progress.ts';

/**
 * Builds every model if an input has changed since the last complete build. The inputs are the loaded months, the
 * reference data, the migrations, the SQL, and the parameters of the effects. Returns the number of rows of each mart.
 */
export async function buildIfChanged(
  db: Database,
  progress: Progress,
): Promise<BuildReport['rows']> {
  const inputs = await hashBuildInputs(db);
  const [last] = await db.rows<{ sha256: string }>('select sha256 from ops.build_inputs');
  if (last?.sha256 === inputs) {
    progress(MODELS.length, MODELS.length, 'unchanged');
    return countMarts(db);
  }
  await db.run('delete from ops.build_inputs');
  const rows = await buildModels(db, progress);
  await db.run('insert into ops.build_inputs values ($inputs)', { inputs });
  return rows;
}

async function hashBuildInputs(db: Database): Promise<string> {
  // A month that was loaded again counts as changed, even if its data is the same.
  const [state] = await db.rows<{ state: string }>(
    `select to_json({
       months: (select list(lake_months order by month) from raw.lake_months),
       weather: (select list(weather_months order by source, month) from raw.weather_months),
       completeness: (select list(month_completeness order by month) from raw.month_completeness),
       delayCauses: (select list(delay_cause_months order by month) from raw.delay_cause_months),
       reference: (select list(sha256) from reference.inputs),
       migrations: (select list(name order by name) from migrations)
     })::varchar as state`,
  );
  const files = [...MODELS, ...EFFECT_FILES, ...OUTCOME_FILES];
  const models = await Promise.all(files.map((file) => readSql(file)));
  const kinds = [EFFECT_KINDS, LATE_KINDS, LATE_MONTH_KINDS, CANCELLED_KINDS, DIVERTED_KINDS];
  return sha256(JSON.stringify([state?.state, models, kinds, lateSeasons.seal]));
}
