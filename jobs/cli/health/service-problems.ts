import type { Problem } from '../../../warehouse/live/conditions.ts';
import type { MachineReport } from '../../../warehouse/live/health-reports.ts';
import { formatDuration } from '../../../warehouse/ground/duration.ts';
import type { RedisStatus, Status } from '../status/types.ts';

type LiveStatus = Extract<RedisStatus, { state: 'up' }>;

/** A job may wait this long for a build, a training or other loads. Extracts of a backfill may wait longer. */
const MAX_WAIT_S = 3_600;
/** A service may have no API for this long while it starts, or after Redis lost its data. */
const API_START_MS = 20_000;

/** Judges Redis, the APIs and the work of all machines. */
export function findServiceProblems({ redis, at }: Status): Problem[] {
  if (redis.state === 'away') {
    const text = `Redis is unreachable: ${redis.error}. Calls with a key get 503. Start Redis, or correct REDIS_URL`;
    return [{ key: 'redis', kind: 'redis.unreachable', text }];
  }
  // While Redis refuses writes, processes cannot report, so old reports are ignored.
  if (redis.writeRefusal !== undefined) {
    const text =
      `Redis refuses writes, so calls with a key get 503 and no job runs: ${redis.writeRefusal}. ` +
      'Free space on its disk, raise maxmemory, or make it a primary again';
    return [{ key: 'redis writes', kind: 'redis.refuses_writes', text }];
  }
  return [
    ...findSilentApis(redis, new Date(at)),
    ...findFailedModel(redis),
    ...findWorkProblems(redis),
    ...findOtherLakes(redis.machines ?? []),
  ];
}

/** Reports APIs that do not answer, and a service that has no API at all. */
function findSilentApis(live: LiveStatus, now: Date): Problem[] {
  const { apis = [], machines = [], noApiSince } = live;
  const problems = apis.flatMap(({ address, problem }): Problem[] => {
    if (problem === undefined) return [];
    const text = `the API at ${address} does not answer calls: ${problem}. See its log; restart it with make run or make api`;
    return [{ key: `api ${address}`, kind: 'calls.failing', text }];
  });
  if (problems.length > 0 || noApiSince === undefined) return problems;
  // If no worker of the service runs, the service is not starting, so a missing API is reported at once.
  const mayStart = machines.some(({ isService }) => isService);
  if (mayStart && now.getTime() - Date.parse(noApiSince) < API_START_MS) return [];
  const text =
    'no API runs, so no calls are answered: start one with make run or make api. ' +
    'Its log is logs/api.log in the data folder';
  return [{ key: 'no api', kind: 'calls.failing', text }];
}

function findFailedModel({ modelFailures = [] }: LiveStatus): Problem[] {
  const [first, ...others] = modelFailures;
  if (!first) return [];
  const { place, version, reason } = first;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const text =
    `Imported model ${version} fails at ${place}${more}: ${reason}. ` +
    'The model trained here answers instead. To remove the imported model: make model-remove publish';
  return [{ key: 'imported model', kind: 'model.failed', text }];
}

function findWorkProblems({ queues, schedules }: LiveStatus): Problem[] {
  const problems: Problem[] = [];
  const add = (kind: Problem['kind'], key: string, text: string) =>
    problems.push({ key, kind, text });
  if (queues.some(({ workers }) => workers === 0)) {
    const text =
      'no worker is connected, so no jobs or schedules run. Start one with make run or make worker';
    add('worker.missing', 'worker', text);
  } else {
    // Workers register the schedules. If no worker runs, missing schedules are no problem of their own.
    const missing = schedules.filter(({ isMissing }) => isMissing).map(({ id }) => id);
    if (missing.length > 0) {
      const text = `schedules are missing in Redis: ${missing.join(', ')}. A worker registers them within a minute; if not, restart the workers`;
      add('schedules.missing', 'schedules', text);
    }
  }
  const late = schedules.filter(({ isLate }) => isLate).map(({ id }) => id);
  if (late.length > 0) {
    const text = `schedules have not succeeded in time: ${late.join(', ')}. Keep a worker running; make status shows failures`;
    add('schedules.late', 'late schedules', text);
  }
  for (const { queue, shortOfDisk } of queues) {
    const [first] = shortOfDisk ?? [];
    if (!first) continue;
    const text = `the job ${first.job} on the queue ${queue} cannot start, ${first.why}`;
    add('queue.stuck', `disk for the queue ${queue}`, text);
  }
  for (const { queue, oldestWaitS = 0 } of queues) {
    if (queue === 'extract' || oldestWaitS <= MAX_WAIT_S) continue;
    const text = `a job on the queue ${queue} has waited for more than ${formatDuration(1_000 * MAX_WAIT_S)}. Running jobs are in make status; a backfill or a training may take this long`;
    add('queue.stuck', `queue ${queue}`, text);
  }
  return problems;
}

/**
 * Reports workers that use one Redis but different lakes. Each worker would publish only the months of its own lake,
 * and each publish would replace the publish before.
 */
function findOtherLakes(machines: readonly MachineReport[]): Problem[] {
  if (new Set(machines.map(({ lake }) => lake)).size < 2) return [];
  const places = machines.map(({ machine }) => machine).join(', ');
  const text = `Workers use different lakes: ${places}. Each publishes only its own months: share one lake with LAKE_URL`;
  return [{ key: 'lakes', kind: 'lakes.differ', text }];
}
