import type { UndoReport } from '../../../pipelines/flights/undo.ts';
import { unitOf } from '../../../warehouse/lake/shared/units.ts';
import { currentManifest } from '../../../warehouse/lake/place-month.ts';
import { listVersions, type MonthRef } from '../../../warehouse/lake/versions.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import { requestUndo, type UndoRequest } from '../../queue/request-undo.ts';
import type { CommandContext } from '../context.ts';
import { extentText } from '../extent-text.ts';
import { planRestore, type RestorePlan } from '../../wiring/restore-plan.ts';
import { refreshLake, withLakeHome } from '../lake-refresh.ts';
import { parseMonthList, undoCommands } from '../month-list.ts';
import { withJobs } from '../session.ts';
import { count, table } from '../tables.ts';
import { publishNow } from './publish.ts';

/** Options as typed on the command line. */
export type UndoOptions = {
  /** One or more months. */
  month: string;
  /** Whether to change months of the delay-cause table instead of months of flights. */
  levels?: boolean;
  /** Whether to build and publish afterwards. */
  publish?: boolean;
};

/** Options of a restore as typed on the command line. */
export type RestoreOptions = UndoOptions & {
  version?: string;
  /** Whether to restore versions with far fewer flights. */
  force?: boolean;
  /** Whether to list the versions and the plan, and change nothing. */
  dryRun?: boolean;
};

/**
 * Lists the former versions of each month, and restores the named version or, if no version is named, the version
 * before the current one. Restores nothing if a version is missing or damaged, or has far fewer flights than the
 * current one. `force` accepts fewer flights.
 */
export async function restore(
  context: CommandContext,
  { version, force = false, dryRun = false, ...options }: RestoreOptions,
): Promise<number> {
  const refs = refsOf(options);
  if (version !== undefined && refs.length > 1) {
    throw new CommandError('VERSION= works only with one month');
  }
  await fetchVersions(context, refs);
  const { lakeDir } = dataPaths(context.config.dataDir);
  const plans: RestorePlan[] = [];
  for (const ref of refs) plans.push(await planRestore(lakeDir, ref, version));
  context.out.write(plans.map(planText).join(''));
  const problems = plans.flatMap(({ problem, losses, month }) => {
    if (problem !== undefined) return [problem];
    if (losses.length === 0 || force) return [];
    return [`the version of ${month} is poorer: ${losses.join('; ')}`];
  });
  if (problems.length > 0) {
    const isForcible = plans.every(({ problem }) => problem === undefined);
    const help = isForcible ? '. FORCE=1 restores it anyway' : '';
    throw new CommandError(`Nothing was changed: ${problems.join('. ')}${help}`);
  }
  if (dryRun) {
    context.out.write('Nothing was changed, as DRY_RUN=1 is set\n');
    return 0;
  }
  const requests = plans.map(({ month, tree, version: id = '' }) => ({
    ...{ month, tree, version: id },
    ...(force && { force }),
  }));
  return undo(context, requests, options);
}

/** Formats the versions of a month, and which of them is restored. */
function planText({ month, current, versions, version, losses }: RestorePlan): string {
  const now = current ? extentText(current) : 'not loaded, or damaged';
  const rows = versions.map(({ id, source, form, rows: rowCount, isDamaged }) => [
    id,
    `${source} (${form})`,
    count(rowCount),
    isDamaged ? 'damaged' : 'intact',
  ]);
  const list =
    rows.length === 0
      ? ''
      : `${table(['make restore VERSION=', 'source', 'rows', 'files'], rows)}\n`;
  const chosen =
    version === undefined
      ? ''
      : `Plan     restore ${version}${losses.length > 0 ? `, which is poorer: ${losses.join('; ')}` : ''}\n`;
  return `${month} now  ${now}\n${list}${chosen}`;
}

/** Fetches the former versions of these months if the lake is shared. */
async function fetchVersions(context: CommandContext, refs: readonly MonthRef[]): Promise<void> {
  await refreshLake(context);
  if (!context.config.lake) return;
  await withLakeHome(context, async (home) => {
    for (const ref of refs) {
      await home.fetchVersions(ref);
      await home.fetch([unitOf(ref)]);
    }
  });
}

/** Removes months from the lake and the warehouse. The removed months can be restored. */
export async function drop(context: CommandContext, options: UndoOptions): Promise<number> {
  return undo(context, refsOf(options), options);
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
      const replaced = done.filter(({ before }) => before);
      if (config.keepVersions > 0) {
        out.write(name === 'drop' ? undoCommands(replaced) : await redoCommands(context, replaced));
      }
      const isPublished = publish && done.length === requests.length;
      if (done.some(hasChanged) && !isPublished) out.write('Next: make features publish\n');
    }
    if (publish) return publishNow(context, session);
    if (!done.some(hasChanged)) out.write('Nothing was changed.\n');
    return 0;
  });
}

/**
 * Returns the commands that undo restores. They name a version, because a restore without `VERSION=` would go one
 * version further back.
 */
async function redoCommands(
  { config }: CommandContext,
  reports: readonly UndoReport[],
): Promise<string> {
  const { lakeDir } = dataPaths(config.dataDir);
  const lines: string[] = [];
  for (const { month, tree, before, after } of reports) {
    const ref = { month, tree };
    const [replaced] = await listVersions(lakeDir, ref, await currentManifest(lakeDir, ref));
    if (!replaced) continue;
    const levels = tree === 'levels' ? ' LEVELS=1' : '';
    const force = (before?.flights ?? 0) < (after?.flights ?? 0) ? ' FORCE=1' : '';
    lines.push(`To undo: make restore MONTH=${month} VERSION=${replaced.id}${levels}${force}\n`);
  }
  return lines.join('');
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
