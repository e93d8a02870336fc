import { buildFeatures } from '../commands/features.ts';
import { ingestFile } from '../commands/ingest.ts';
import { publishStore } from '../commands/publish.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import type { JobSession } from '../session.ts';
import { count } from '../tables.ts';
import { SEED_OPTIONS, type SeedDue } from './seed-due.ts';

const WHY: Record<SeedDue['why'], string> = {
  empty: 'First start: loading the flight history that comes with Headwind\n',
  begun: 'Going on with the flight history that comes with Headwind\n',
  older:
    'The flight history that comes with Headwind is newer than what is loaded of it: loading it\n',
};

/**
 * Makes the score store: from what the lake holds, and from the history that ships with the code where that is due. Months of
 * one's own stay in place of it.
 */
export async function firstStart(
  context: CommandContext,
  session: JobSession,
  due: SeedDue | undefined,
): Promise<void> {
  const { err } = context;
  if (due) {
    err.write(WHY[due.why]);
    for (const file of due.files) {
      const { report, failure } = await ingestFile(context, session, [file], SEED_OPTIONS);
      if (failure !== undefined) throw new CommandError(`The seed cannot be loaded: ${failure}`);
      const kept = report?.months.filter(({ outcome }) => outcome === 'refused').length ?? 0;
      if (kept > 0) err.write(`${count(kept)} months of your own stay in place of those of it\n`);
    }
  }
  err.write('Building features\n');
  await buildFeatures(session);
  err.write('Publishing the score store\n');
  await publishStore(session);
}
