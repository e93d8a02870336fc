import { failingChecks } from '../../../pipelines/features/build.ts';
import type { ConditionName, Problem } from '../../../warehouse/live/conditions.ts';
import { findDataProblems } from '../../watch/data-problems.ts';
import type { CheckStatus, Status } from '../status/types.ts';
import { servedFromElsewhere } from '../status/served.ts';
import { findDiskProblems } from './disk-problems.ts';
import { findServiceProblems } from './service-problems.ts';

/**
 * Judges the service. Only this function defines when the service is failing or degraded. Returns the problems of this
 * machine and of its Redis. `make status`, `make doctor`, `/ops`, `/api/health`, metrics and notices all use the
 * result.
 */
export function findProblems(status: Status): Problem[] {
  const problems = [
    ...findServiceProblems(status),
    ...findLostKeys(status),
    ...findStoreProblems(status),
    ...findBuildProblems(status),
    ...findDamage(status),
    ...findDataProblems(status.newest, new Date(status.at), status.freshnessRule),
    ...findDiskProblems(status),
  ];
  return explainStart(problems, status);
}

/** Problems that every service has until its first publish. */
const ENDED_BY_START: readonly ConditionName[] = ['calls.failing', 'store.missing'];

/** During a first start, replaces these problems by the single problem that the service is still starting. */
function explainStart(problems: Problem[], { redis }: Status): Problem[] {
  const others = problems.filter(({ kind }) => !ENDED_BY_START.includes(kind));
  const { start } = redis.state === 'up' ? redis : {};
  if (start === undefined || others.length === problems.length) return problems;
  const text =
    `The first start has been loading the flight history since ${start.since}. ` +
    'Calls get 503 until the start has published it; make run shows its progress';
  return [{ key: 'first start', kind: 'service.starting', text }, ...others];
}

function findLostKeys({ redis, machine }: Status): Problem[] {
  const { lostKeys = 0 } = redis.state === 'up' ? redis : {};
  if (lostKeys === 0) return [];
  const text =
    `Redis lost ${lostKeys === 1 ? '1 key' : `${lostKeys} keys`} of the archive in ${machine}. ` +
    'Calls with lost keys get 401. Run make keys-restore there. If Redis lost all its data, also run make publish';
  return [{ key: `lost keys of ${machine}`, kind: 'keys.lost', text, machine }];
}

function findStoreProblems(status: Status): Problem[] {
  const { store, redis, months, levels, machine } = status;
  const problem = (text: string): Problem[] => [
    { key: `store of ${machine}`, kind: 'store.missing', text, machine },
  ];
  if (store.problem !== undefined) {
    return problem(`the store cannot be used: ${store.problem}. Run make publish`);
  }
  if (store.version === undefined) {
    if (servedFromElsewhere(status) !== undefined) return [];
    return months.length === 0 && levels.months === 0
      ? problem(
          'there are no months and no store yet: make run, or make ingest FILE=path PUBLISH=1',
        )
      : problem('nothing is published yet: make features publish');
  }
  if (redis.state === 'away' || redis.storeVersion !== undefined) return [];
  return problem(
    'Redis has no score store, so an API that starts now may be unable to answer; run make publish',
  );
}

/** Returns the problems of the last build, and of the model that the next publish uses. */
function findBuildProblems({ build, model }: Status): Problem[] {
  const problems: Problem[] = [];
  const errors = failingChecks(build?.checks ?? []);
  if (errors.length > 0) {
    const names = errors
      .map(({ check, failures, problem }) => `${check} (${problem ?? `${failures} rows`})`)
      .join(', ');
    const text = `Nothing is published until these checks pass: ${names}. Run make check-data SELECT=name to see the rows`;
    problems.push({ key: 'checks', kind: 'checks.failed', text });
  }
  problems.push(...(build?.checks ?? []).filter(isWarning).map(toWarning));
  if (build?.outcome === 'failed') {
    const text = 'the last build failed: see the reason in make status, then run make features';
    problems.push({ key: 'build', kind: 'build.failed', text });
  }
  if (model.refused !== undefined) {
    const text = `the released model is not used: ${model.refused}. Run make train or make model-rollback, then make publish`;
    problems.push({ key: 'model', kind: 'model.unusable', text });
  }
  return problems;
}

function isWarning({ severity, failures }: CheckStatus): boolean {
  return severity === 'warn' && failures > 0;
}

function toWarning(warning: CheckStatus): Problem {
  const { check, failures, problem, fingerprint = problem ?? String(failures) } = warning;
  if (problem !== undefined) {
    const text = `${problem}. Correct the file, then run make features`;
    return { key: `check ${check}`, kind: 'checks.warn', text, fingerprint };
  }
  const rows = failures === 1 ? '1 row' : `${failures} rows`;
  const text =
    `Check ${check} warns of ${rows}: make check-data SELECT=${check} shows the rows, ` +
    'make acknowledge hides the warning until the rows change';
  return { key: `check ${check}`, kind: 'checks.warn', text, fingerprint };
}

function findDamage({ months, machine }: Status): Problem[] {
  return months
    .filter(({ state }) => state === 'damaged')
    .map(({ month }) => ({
      key: `damaged ${month} of ${machine}`,
      kind: 'month.damaged',
      machine,
      text: `${month} is damaged in the lake: ingest its file again, or run make restore MONTH=${month}`,
    }));
}
