import type { UndoReport } from '../../../pipelines/flights/undo.ts';
import { currentManifest } from '../../../warehouse/lake/place-month.ts';
import { versionsOf, type MonthRef } from '../../../warehouse/lake/versions.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import { requestUndo, type UndoRequest } from '../../queue/request-undo.ts';
import type { CommandContext } from '../context.ts';
import { extentText } from '../extent-text.ts';
import { lakeAtHand } from '../lake-at-hand.ts';
import { monthsOf, wayBack } from '../month-list.ts';
import { withJobs } from '../session.ts';
import { publishNow } from './publish-now.ts';

/** As typed. */
export type UndoOptions = {
  /** A month, or several. */
  month: string;
  /** The delay-cause table's months, not those of flights. */
  levels?: boolean;
  /** Build and publish as well. */
  publish?: boolean;
};

/** Makes earlier versions of months the ones that count, the newest of each where none is named. */
export async function restore(
  context: CommandContext,
  { version, ...options }: UndoOptions & { version?: string },
): Promise<number> {
  const refs = refsOf(options);
  if (version !== undefined && refs.length > 1) {
    throw new CommandError('VERSION= is for one month');
  }
  await lakeAtHand(context);
  const requests: UndoRequest[] = [];
  for (const ref of refs) {
    requests.push({ ...ref, version: await versionOf(context, ref, version) });
  }
  return undo(context, requests, options);
}

/** Takes months out of lake and warehouse; they can be restored. */
export async function drop(context: CommandContext, options: UndoOptions): Promise<number> {
  return undo(context, refsOf(options), options);
}

/** The version that is asked for, if it is kept. */
async function versionOf(
  { config }: CommandContext,
  ref: MonthRef,
  asked: string | undefined,
): Promise<string> {
  const { lakeDir } = dataPaths(config.dataDir);
  const versions = await versionsOf(lakeDir, ref, await currentManifest(lakeDir, ref));
  const ids = versions.map(({ id }) => id);
  const wanted = asked ?? ids[0];
  if (wanted === undefined || ids.length === 0) {
    throw new CommandError(`Nothing was changed: no earlier version of ${ref.month} is kept`);
  }
  if (!ids.includes(wanted)) {
    throw new CommandError(`Nothing was changed: ${ref.month} has ${ids.join(', ')}`);
  }
  return wanted;
}

async function undo(
  context: CommandContext,
  requests: readonly UndoRequest[],
  { publish = false }: UndoOptions,
): Promise<number> {
  const { out, config } = context;
  const name = requests.some(({ version }) => version !== undefined) ? 'restore' : 'drop';
  return withJobs(context, name, async (session) => {
    const done: UndoReport[] = [];
    try {
      for (const request of requests) {
        const job = await requestUndo(session.queues, request);
        const report = await session.follow<UndoReport>(job, request.month);
        out.write(undoneText(report));
        done.push(report);
      }
    } finally {
      // Also of those that were done before one failed.
      if (config.keepVersions > 0) out.write(wayBack(done.filter(({ before }) => before)));
      const isPublished = publish && done.length === requests.length;
      if (done.some(hasChanged) && !isPublished) out.write('Next: make features publish\n');
    }
    if (publish) return publishNow(context, session);
    if (!done.some(hasChanged)) out.write('Nothing has changed.\n');
    return 0;
  });
}

function hasChanged({ before, after }: UndoReport): boolean {
  return Boolean(before ?? after);
}

function undoneText({ month, before, after }: UndoReport): string {
  if (!before && !after) return `${month} was not there\n`;
  const was = before ? extentText(before) : 'not there';
  return `${month} was  ${was}\n        is   ${after ? extentText(after) : 'not there'}\n`;
}

function refsOf({ month, levels = false }: UndoOptions): MonthRef[] {
  return monthsOf(month).map((one) => ({ month: one, tree: levels ? 'levels' : 'flights' }));
}
