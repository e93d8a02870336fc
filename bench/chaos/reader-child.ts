/**
 * A tool that somebody has open on the copy of the warehouse, until it is ended: `stays` on what it opened, `opens` it anew for each
 * question, or, as some tools do, opens it for writing and `writes` a table of its own. Says what it reads, a line a question.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../warehouse/connect.ts';
import { contentOf } from './state.ts';

const [file = '', manner = ''] = process.argv.slice(2);

/** Questions asked of a copy by who stays on it: several nights pass meanwhile. */
const ASKED_BY_STAYING = 40;
const PAUSE_MS = 50;

const asked = manner === 'stays' ? ASKED_BY_STAYING : 1;
for (;;) {
  try {
    const db = await openDatabase({ path: file, readOnly: manner !== 'writes', threads: 1 });
    try {
      if (manner === 'writes') await db.run('create or replace table main.mine as select 1 as one');
      for (let question = 0; question < asked; question++) {
        console.log(JSON.stringify({ question, content: await contentOf(db) }));
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
