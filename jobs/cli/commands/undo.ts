import { isMonth } from '../../../pipelines/flights/months.ts';
import type { UndoReport } from '../../../pipelines/flights/undo.ts';
import { currentManifest } from '../../../warehouse/lake/place-month.ts';
import { versionsOf, type MonthRef } from '../../../warehouse/lake/versions.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import { requestUndo } from '../../queue/requests.ts';
import type { CommandContext } from '../context.ts';
import { extentText } from '../extent-text.ts';
import { lakeAtHand } from '../lake-at-hand.ts';
import { withJobs } from '../session.ts';
import { publishNow } from './publish-now.ts';

/** As typed. */
export type UndoOptions = {
  month: string;
  /** The delay-cause table's month, not that of flights. */
  levels?: boolean;
  /** Build and publish as well. */
  publish?: boolean;
};

/** Makes an earlier version of a month the one that counts, the newest one where none is named. */
export async function restore(
  context: CommandContext,
  { version, ...options }: UndoOptions & { version?: string },
): Promise<number> {
  const ref = refOf(options);
  await lakeAtHand(context);
  const { lakeDir } = dataPaths(context.config.dataDir);
  const versions = await versionsOf(lakeDir, ref, await currentManifest(lakeDir, ref));
  const ids = versions.map(({ id }) => id);
  if (ids.length === 0) {
    throw new CommandError(`Nothing was changed: no earlier version of ${ref.month} is kept`);
  }
  const wanted = version ?? ids[0] ?? '';
  if (!ids.includes(wanted)) {
    throw new CommandError(`Nothing was changed: ${ref.month} has ${ids.join(', ')}`);
  }
  return undo(context, { ...ref, version: wanted }, options);
}

/** Takes a month out of lake and warehouse; it can be restored. */
export async function drop(context: CommandContext, options: UndoOptions): Promise<number> {
  return undo(context, refOf(options), options);
}

async function undo(
  context: CommandContext,
  request: MonthRef & { version?: string },
  { publish = false }: UndoOptions,
): Promise<number> {
  const { out, config } = context;
  return withJobs(context, request.version === undefined ? 'drop' : 'restore', async (session) => {
    const job = await requestUndo(session.queues, request);
    const { month, before, after } = await session.follow<UndoReport>(job, request.month);
    out.write(`${month} was  ${before ? extentText(before) : 'not there'}\n`);
    out.write(`        is   ${after ? extentText(after) : 'not there'}\n`);
    if (config.keepVersions > 0 && before) {
      const levels = request.tree === 'levels' ? ' LEVELS=1' : '';
      out.write(`To go back: make restore MONTH=${month}${levels}\n`);
    }
    if (publish) return publishNow(context, session);
    out.write('Next: make features publish\n');
    return 0;
  });
}

function refOf({ month, levels = false }: UndoOptions): MonthRef {
  if (!isMonth(month)) throw new CommandError(`MONTH="${month}" is not a month like 2025-03`);
  return { month, tree: levels ? 'levels' : 'flights' };
}
