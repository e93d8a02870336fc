/**
 * A tool that reads the copy of the warehouse until the tool is killed. It has three modes: it `stays` connected, it
 * `opens` the copy for each query, or it opens the copy for writing and `writes` a table, as some tools do. Prints a
 * line with the content for each query.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../warehouse/connect.ts';
import { hashContent } from './state.ts';

const [file = '', mode = ''] = process.argv.slice(2);

/** Number of queries of a tool that stays connected. Several nightly runs happen during this time. */
const QUERIES_WHILE_OPEN = 40;
const PAUSE_MS = 50;

const queries = mode === 'stays' ? QUERIES_WHILE_OPEN : 1;
for (;;) {
  try {
    const db = await openDatabase({ path: file, readOnly: mode !== 'writes', threads: 1 });
    try {
      if (mode === 'writes') await db.run('create or replace table main.mine as select 1 as one');
      for (let query = 0; query < queries; query++) {
        console.log(JSON.stringify({ query, content: await hashContent(db) }));
        await sleep(PAUSE_MS);
      }
    } finally {
      db.close();
    }
  } catch (error) {
    console.log(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
    await sleep(PAUSE_MS);
  }
}
