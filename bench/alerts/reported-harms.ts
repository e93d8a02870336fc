import { execFileSync } from 'node:child_process';
import { conditionOf, type ConditionName, type Problem } from '../../warehouse/live/conditions.ts';
import {
  readMachineReports,
  removeMachineReport,
  writeMachineReport,
} from '../../warehouse/live/health-reports.ts';
import { closeIncident, recordProblem } from '../../warehouse/live/incidents.ts';
import { repeat, type Harm, type World } from './harm.ts';
import { SMALL_DISK } from './service.ts';

/**
 * Maps each alert to its condition. There are two kinds of conditions. Another machine reports the first kind until its
 * report is removed. For the second kind, a job opens an incident, and another job ends the incident.
 */
const REPORTED: Record<string, ConditionName> = {
  HeadwindCallsFailing: 'calls.failing',
  HeadwindRedisRefusesWrites: 'redis.refuses_writes',
  HeadwindKeysBroken: 'keys.broken',
  HeadwindSchedulesMissing: 'schedules.missing',
  HeadwindChecksFailed: 'checks.failed',
  HeadwindBuildFailed: 'build.failed',
  HeadwindBackfillFailed: 'backfill.failed',
  HeadwindFileRefused: 'file.refused',
  HeadwindMonthRefused: 'month.refused',
  HeadwindMonthDamaged: 'month.damaged',
  HeadwindChecksWarn: 'checks.warn',
  HeadwindImportedModelFailed: 'model.failed',
  HeadwindModelUnusable: 'model.unusable',
};

/** Opens an incident and ends it, as jobs do. Workers do not check the conditions of such incidents. */
function incidentHarm(redis: World['service']['redis'], problem: Problem): Harm {
  return {
    start: async () => void (await recordProblem(redis, problem, new Date())),
    repair: async () => void (await closeIncident(redis, problem.key, new Date())),
  };
}

/** Returns the harms that come from reports of another machine, and the harm of a disk with little free space. */
export function reportedHarms({ service: { redis, disk } }: World): Record<string, Harm> {
  const machine = 'another machine';
  const report = (lake: string, problems: Problem[]) => {
    const at = new Date().toISOString();
    return writeMachineReport(redis, machine, { machine, lake, isService: true, at, problems });
  };
  const sameLake = async () => {
    const others = await readMachineReports(redis, new Date());
    return others.find((other) => other.machine !== machine)?.lake ?? '';
  };
  const reported = ([alert, kind]: [string, ConditionName]): [string, Harm] => {
    const problem = { key: `${kind} of ${machine}`, kind, text: 'reported', machine };
    if (conditionOf(kind).source === 'event') return [alert, incidentHarm(redis, problem)];
    const start = async () => {
      const lake = await sameLake();
      return repeat(() => report(lake, [problem]), 10_000);
    };
    return [alert, { start, repair: () => removeMachineReport(redis, machine) }];
  };
  const resize = (size: string) => async () =>
    void execFileSync('mount', ['-o', `remount,size=${size}`, disk]);
  return {
    ...Object.fromEntries(Object.entries(REPORTED).map(reported)),
    HeadwindLakesDiffer: {
      start: async () => repeat(() => report('another lake', []), 10_000),
      repair: () => removeMachineReport(redis, machine),
    },
    // The small disk is always low, so this alert fires from the start. The disk is in memory, but only its used space
    // takes memory.
    HeadwindDiskLow: { repair: resize('3g'), cleanUp: resize(SMALL_DISK) },
  };
}
