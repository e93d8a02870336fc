import type { UndoReport } from '../../../pipelines/flights/undo.ts';
import { unitOf } from '../../../warehouse/lake/shared/units.ts';
import { currentManifest } from '../../../warehouse/lake/place-month.ts';
import { listVersions, periodOf, type MonthRef } from '../../../warehouse/lake/versions.ts';
import { datesText, periodText } from '../../../warehouse/ground/period.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import { requestUndo, type UndoRequest } from '../../queue/request-undo.ts';
import type { CommandContext } from '../context.ts';
import { extentText } from '../extent-text.ts';
import { planRestore, type RestorePlan } from '../../wiring/restore-plan.ts';
import { refreshLake, withLakeHome } from '../lake-refresh.ts';
import { optionsOf, undoCommands } from '../month-list.ts';
import { withJobs } from '../session.ts';
import { count, table } from '../tables.ts';
import {
  checkPeriod,
  lakeOf,
  undoTargets,
  type MonthOptions,
  type UndoTarget,
} from '../undo-targets.ts';
import { publishNow } from './publish.ts';

/** Options as typed on the command line. */
export type UndoOptions = MonthOptions & {
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
 * Lists the former versions of each month and restores one of them: the named version or, without a name, the version
 * before the current one. Restores nothing if a version is missing or damaged. Also restores nothing if a version has
 * far fewer flights than the current one, unless `force` is set.
 */
export async function restore(
  context: CommandContext,
  { version, force = false, dryRun = false, ...options }: RestoreOptions,
): Promise<number> {
  const refs = undoTargets(options);
  if (version !== undefined && refs.length > 1) {
    throw new CommandError('VERSION= works only with one month');
  }
  await fetchVersions(context, refs);
  const { lakeDir } = dataPaths(context.config.dataDir);
  const plans: (RestorePlan & UndoTarget)[] = [];
  for (const ref of refs) {
    if (ref.provider !== undefined) await checkPeriod(lakeDir, ref, 'restore');
    plans.push({ ...ref, ...(await planRestore(lakeOf(lakeDir, ref), ref, version)) });
  }
  context.out.write(plans.map(planText).join(''));
  const problems = plans.flatMap(({ problem, losses, ...plan }) => {
    if (problem !== undefined) return [problem];
    if (losses.length === 0 || force) return [];
    return [`the version of ${periodText(plan)} is poorer: ${losses.join('; ')}`];
  });
  if (problems.length > 0) {
    const isForcible = plans.every(({ problem }) => problem === undefined);
    const help = isForcible ? '. FORCE=1 restores it anyway' : '';
    throw new CommandError(`Nothing was changed: ${problems.join('. ')}${help}`);
  }
  if (dryRun) {
    context.out.write('Nothing was changed, because DRY_RUN=1 is set\n');
    return 0;
  }
  const requests = plans.map(({ version: id = '' }, at) => ({
    ...(refs[at] as UndoTarget),
    version: id,
    ...(force && { force }),
  }));
  return undo(context, requests, options);
}

/** Lists the versions of a month, and names the version that the command restores. */
function planText(plan: RestorePlan & UndoTarget): string {
  const { current, versions, version, losses } = plan;
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
  return `${periodText(plan)} now  ${now}\n${list}${chosen}`;
}

/** Fetches the former versions of these months if the lake is shared. */
async function fetchVersions(context: CommandContext, refs: readonly MonthRef[]): Promise<void> {
  await refreshLake(context);
  if (!context.config.lake) return;
  const shared = refs.filter(({ provider }) => provider === undefined);
  await withLakeHome(context, async (home) => {
    for (const ref of shared) {
      await home.fetchVersions(ref);
      await home.fetch([unitOf(ref)]);
    }
  });
}

/** Removes months from the lake and the warehouse. The removed months can be restored. */
export async function drop(context: CommandContext, options: UndoOptions): Promise<number> {
  const { lakeDir } = dataPaths(context.config.dataDir);
  const targets = undoTargets(options);
  for (const target of targets) {
    if (target.provider !== undefined) await checkPeriod(lakeDir, target, 'drop');
  }
  return undo(context, targets, options);
}

async function undo(
  context: CommandContext,
  requests: readonly (UndoRequest & UndoTarget)[],
  { publish = false }: UndoOptions,
): Promise<number> {
  const { out, config } = context;
  const name = requests.some(({ version }) => version !== undefined) ? 'restore' : 'drop';
  return withJobs(context, name, async (session) => {
    const done: (UndoReport & UndoTarget)[] = [];
    try {
      for (const { periodMonths, ...request } of requests) {
        const job = await requestUndo(session.queues, request);
        const name = periodText({ ...request, periodMonths });
        const report = await session.follow<UndoReport>(job, name);
        out.write(changeText(name, report));
        if (!request.version) out.write(await decemberText(context, { ...request, periodMonths }));
        done.push({ ...report, periodMonths });
      }
    } finally {
      // This code also runs after a failure. It prints how to undo the changes that were made before the failure.
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
 * Returns the command that restores December after the counts of its year were dropped. Returns an empty text if there
 * is nothing to restore. The lake stores a year in the place of its December, so the counts of the year had replaced
 * December.
 */
async function decemberText({ config }: CommandContext, target: UndoTarget): Promise<string> {
  if (target.periodMonths !== 12) return '';
  const { lakeDir } = dataPaths(config.dataDir);
  const versions = await listVersions(lakeOf(lakeDir, target), target, undefined);
  if (!versions.some(({ manifest }) => periodOf(manifest) !== 12)) return '';
  return `The counts of the whole year ${datesText(target)} had replaced ${target.month}. To restore this month: make restore PROVIDER=${target.provider} MONTH=${target.month}\n`;
}

/**
 * Returns the commands that undo restores. Each command names a version, because a restore without `VERSION=` would go
 * one version further back.
 */
async function redoCommands(
  { config }: CommandContext,
  reports: readonly (UndoReport & UndoTarget)[],
): Promise<string> {
  const { lakeDir } = dataPaths(config.dataDir);
  const lines: string[] = [];
  for (const report of reports) {
    const { before, after } = report;
    const own = lakeOf(lakeDir, report);
    const [replaced] = await listVersions(own, report, await currentManifest(own, report));
    if (!replaced) continue;
    const month = datesText({ ...report, periodMonths: periodOf(replaced.manifest) });
    const force = (before?.flights ?? 0) < (after?.flights ?? 0) ? ' FORCE=1' : '';
    lines.push(
      `To undo: make restore MONTH=${month} VERSION=${replaced.id}${optionsOf(report)}${force}\n`,
    );
  }
  return lines.join('');
}

function hasChanged({ before, after }: UndoReport): boolean {
  return Boolean(before ?? after);
}

function changeText(name: string, { before, after }: UndoReport): string {
  if (!before && !after) return `${name} is not loaded\n`;
  const text = (extent: typeof before) => (extent ? extentText(extent) : 'not loaded');
  return `${name} before  ${text(before)}\n        after   ${text(after)}\n`;
}
