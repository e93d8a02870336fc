import type { UndoReport } from '../../../pipelines/flights/undo.ts';
import { currentManifest } from '../../../warehouse/lake/place-month.ts';
import { listVersions, type MonthRef } from '../../../warehouse/lake/versions.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import { requestUndo, type UndoRequest } from '../../queue/request-undo.ts';
import type { CommandContext } from '../context.ts';
import { extentText } from '../extent-text.ts';
import { refreshLake } from '../lake-refresh.ts';
import { parseMonthList, undoCommands } from '../month-list.ts';
import { withJobs } from '../session.ts';
import { publishNow } from './publish-now.ts';

/** Options as typed on the command line. */
export type UndoOptions = {
  /** One or more months. */
  month: string;
  /** Whether to change months of the delay-cause table instead of months of flights. */
  levels?: boolean;
  /** Whether to build and publish afterwards. */
  publish?: boolean;
};

/** For each month, restores the named version or, if no version is named, the newest former version. */
export async function restore(
  context: CommandContext,
  { version, ...options }: UndoOptions & { version?: string },
): Promise<number> {
  const refs = refsOf(options);
  if (version !== undefined && refs.length > 1) {
    throw new CommandError('VERSION= works only with one month');
  }
  await refreshLake(context);
  const requests: UndoRequest[] = [];
  for (const ref of refs) {
    requests.push({ ...ref, version: await versionOf(context, ref, version) });
  }
  return undo(context, requests, options);
}

/** Removes months from the lake and the warehouse. The removed months can be restored. */
export async function drop(context: CommandContext, options: UndoOptions): Promise<number> {
  return undo(context, refsOf(options), options);
}

/** Returns the requested version, or the newest former version. Throws `CommandError` if the version does not exist. */
async function versionOf(
  { config }: CommandContext,
  ref: MonthRef,
  requested: string | undefined,
): Promise<string> {
  const { lakeDir } = dataPaths(config.dataDir);
  const versions = await listVersions(lakeDir, ref, await currentManifest(lakeDir, ref));
  const ids = versions.map(({ id }) => id);
  const version = requested ?? ids[0];
  if (version === undefined || ids.length === 0) {
    throw new CommandError(`Nothing was changed: ${ref.month} has no former version`);
  }
  if (!ids.includes(version)) {
    throw new CommandError(
      `Nothing was changed: ${ref.month} has no version ${version}; its versions are ${ids.join(', ')}`,
    );
  }
  return version;
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
        out.write(changeText(report));
        done.push(report);
      }
    } finally {
      // Also runs after a failure, to print how to undo the months that were changed before the failure.
      if (config.keepVersions > 0) out.write(undoCommands(done.filter(({ before }) => before)));
      const isPublished = publish && done.length === requests.length;
      if (done.some(hasChanged) && !isPublished) out.write('Next: make features publish\n');
    }
    if (publish) return publishNow(context, session);
    if (!done.some(hasChanged)) out.write('Nothing was changed.\n');
    return 0;
  });
}

function hasChanged({ before, after }: UndoReport): boolean {
  return Boolean(before ?? after);
}

function changeText({ month, before, after }: UndoReport): string {
  if (!before && !after) return `${month} is not loaded\n`;
  const text = (extent: typeof before) => (extent ? extentText(extent) : 'not loaded');
  return `${month} before  ${text(before)}\n        after   ${text(after)}\n`;
}

function refsOf({ month, levels = false }: UndoOptions): MonthRef[] {
  const tree = levels ? 'levels' : 'flights';
  return parseMonthList(month).map((name) => ({ month: name, tree }));
}
