import type { Database } from '../connect.ts';
import { readRuns, runIds } from './ledger.ts';
import { readSummaries } from './run-summaries.ts';

/** Brings the tables of the ledger in line with its files: `ops.runs`, and `ops.run_months` for what was folded. */
export async function loadRuns(db: Database, runsDir: string): Promise<void> {
  const known = await db.rows<{ run_id: string }>(
    // Those of the first layout never were files.
    "select run_id from ops.runs where run_id not like 'before-%'",
  );
  const kept = new Set(known.map((row) => row.run_id));
  const ids = await runIds(runsDir);
  const missing = ids.filter((id) => !kept.has(id));
  const there = new Set(ids);
  const gone = [...kept].filter((id) => !there.has(id));
  if (missing.length > 0) {
    await db.run(INSERT_RUNS, { runs: JSON.stringify(await readRuns(runsDir, missing)) });
  }
  if (gone.length > 0) await db.run(DELETE_RUNS, { gone: JSON.stringify(gone) });
  const [any] = await db.rows('select 1 from ops.run_months limit 1');
  if (gone.length > 0 || any === undefined) await loadSummaries(db, runsDir);
}

async function loadSummaries(db: Database, runsDir: string): Promise<void> {
  const summaries = await readSummaries(runsDir);
  if (summaries.length === 0) return;
  await db.run(INSERT_SUMMARIES, { summaries: JSON.stringify(summaries) });
}

const DELETE_RUNS = `
  delete from ops.runs
  where list_contains(from_json($gone::json, '["varchar"]'), run_id)`;

const INSERT_RUNS = `
  insert into ops.runs by name
  with entries as (
    select unnest($runs::json[]) as run
  )
  select
    run->>'id' as run_id,
    run->>'step' as step,
    run->>'outcome' as outcome,
    (run->>'startedAt')::timestamptz as started_at,
    (run->>'finishedAt')::timestamptz as finished_at,
    run->>'codeVersion' as code_version,
    run->'inputs' as inputs,
    (run->>'rowsIn')::bigint as rows_in,
    (run->>'rowsOut')::bigint as rows_out,
    (run->>'rowsRejected')::bigint as rows_rejected,
    run->'rejects' as rejects,
    run->>'error' as error,
    run->'detail' as detail
  from entries`;

const INSERT_SUMMARIES = `
  insert or replace into ops.run_months by name
  with entries as (
    select unnest($summaries::json[]) as told
  )
  select
    (told->>'month')::date as month,
    told->>'step' as step,
    told->>'outcome' as outcome,
    (told->>'runCount')::bigint as run_count,
    (told->>'seconds')::double as seconds,
    (told->>'rowsIn')::bigint as rows_in,
    (told->>'rowsOut')::bigint as rows_out,
    (told->>'rowsRejected')::bigint as rows_rejected,
    (told->>'firstAt')::timestamptz as first_at,
    (told->>'lastAt')::timestamptz as last_at
  from entries`;
