import type { Database } from '../connect.ts';
import { readRuns, listRunIds } from './ledger.ts';
import { readSummaries } from './run-summaries.ts';

/**
 * Updates the two tables of the ledger from its files. `ops.runs` has single runs, and `ops.run_months` has the monthly
 * summaries of old runs.
 */
export async function loadRuns(db: Database, runsDir: string): Promise<void> {
  const rows = await db.rows<{ run_id: string }>(
    // Leaves out rows whose ids begin with `before-`. These runs were recorded before the ledger had files.
    "select run_id from ops.runs where run_id not like 'before-%'",
  );
  const loadedIds = new Set(rows.map((row) => row.run_id));
  const ids = await listRunIds(runsDir);
  const missingIds = ids.filter((id) => !loadedIds.has(id));
  const fileIds = new Set(ids);
  const removedIds = [...loadedIds].filter((id) => !fileIds.has(id));
  if (missingIds.length > 0) {
    await db.run(INSERT_RUNS, { runs: JSON.stringify(await readRuns(runsDir, missingIds)) });
  }
  if (removedIds.length > 0) await db.run(DELETE_RUNS, { removed: JSON.stringify(removedIds) });
  const [firstSummary] = await db.rows('select 1 from ops.run_months limit 1');
  if (removedIds.length > 0 || firstSummary === undefined) await loadSummaries(db, runsDir);
}

async function loadSummaries(db: Database, runsDir: string): Promise<void> {
  const summaries = await readSummaries(runsDir);
  if (summaries.length === 0) return;
  await db.run(INSERT_SUMMARIES, { summaries: JSON.stringify(summaries) });
}

const DELETE_RUNS = `
  delete from ops.runs
  where list_contains(from_json($removed::json, '["varchar"]'), run_id)`;

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
    select unnest($summaries::json[]) as summary
  )
  select
    (summary->>'month')::date as month,
    summary->>'step' as step,
    summary->>'outcome' as outcome,
    (summary->>'runCount')::bigint as run_count,
    (summary->>'seconds')::double as seconds,
    (summary->>'rowsIn')::bigint as rows_in,
    (summary->>'rowsOut')::bigint as rows_out,
    (summary->>'rowsRejected')::bigint as rows_rejected,
    (summary->>'firstAt')::timestamptz as first_at,
    (summary->>'lastAt')::timestamptz as last_at
  from entries`;
