import { buildFeatures } from '../commands/features.ts';
import { ingestFile } from '../commands/ingest.ts';
import { publishStore } from '../commands/publish.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import type { JobSession } from '../session.ts';
import { count } from '../tables.ts';
import { SEED_OPTIONS, type SeedDue } from './seed-due.ts';

const WHY: Record<SeedDue['why'], string> = {
  empty: 'First start: loading the bundled flight history\n',
  begun: 'Loading the rest of the bundled flight history; an earlier start was interrupted\n',
  older: 'Loading the bundled flight history, which is newer than the loaded one\n',
  added: 'Loading the bundled flight history of other countries\n',
};

/**
 * Publishes a score store from the months of the lake. First loads the bundled history if necessary. Does not replace
 * the operator's own months.
 */
export async function loadAndPublish(
  context: CommandContext,
  session: JobSession,
  due: SeedDue | undefined,
): Promise<void> {
  const { err } = context;
  if (due) {
    err.write(WHY[due.why]);
    for (const file of due.files) {
      const { report, failure } = await ingestFile(context, session, [file], SEED_OPTIONS);
      if (failure !== undefined) {
        throw new CommandError(`The bundled history cannot be loaded: ${failure}`);
      }
      const ownMonths = report?.months.filter(({ outcome }) => outcome === 'refused').length ?? 0;
      if (ownMonths > 0) {
        err.write(
          `${count(ownMonths)} of the bundled months are skipped, because you have loaded these months yourself\n`,
        );
      }
    }
  }
  err.write('Building features\n');
  await buildFeatures(session);
  err.write('Publishing the score store\n');
  await publishStore(session);
}
