import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { ConditionName, Problem } from './conditions.ts';
import { isRecent, readReports, removeReport, writeReport, type Report } from './reports.ts';

/** A worker's report about its machine. */
export type MachineReport = Report & {
  /** Data folder and host. Workers with the same folder and host are on the same machine. */
  machine: string;
  /** Id of the lake. Workers with the same id work on the same lake. */
  lake: string;
  /** Whether the worker belongs to the service and registers schedules. The worker of a single command does not. */
  isService: boolean;
  problems: Problem[];
};

/** The conditions that are true now. The API includes them in its answers. */
export type HealthSummary = Report & { conditions: ConditionName[] };

/** Returns the name of the machine of a data folder. */
export function machineName(dataDir: string, host = hostname()): string {
  return `${dataDir} on ${host}`;
}

const MACHINES = 'hw:machines';
const HEALTH = 'hw:health';
/** Workers renew their report every 20 s. */
const MACHINE_MAX_AGE_MS = 2 * 60_000;

type Reader = Pick<Redis, 'hgetall' | 'hdel'>;

/** Writes the report of a worker. `worker` identifies the process among all workers. */
export async function writeMachineReport(
  redis: Pick<Redis, 'hset'>,
  worker: string,
  report: MachineReport,
): Promise<void> {
  await writeReport(redis, MACHINES, worker, report);
}

/** Removes the report of a worker that ends. Other workers of the machine keep their reports. */
export async function removeMachineReport(
  redis: Pick<Redis, 'hdel'>,
  worker: string,
): Promise<void> {
  await removeReport(redis, MACHINES, worker);
}

/**
 * Reads the reports of running workers. Returns only the newest report of each machine. A machine belongs to the
 * service if any of its workers belongs to the service.
 */
export async function readMachineReports(redis: Reader, now: Date): Promise<MachineReport[]> {
  const reports = (await readReports<MachineReport>(redis, MACHINES, now))
    .filter((report) => isRecent(report, now, MACHINE_MAX_AGE_MS))
    .toSorted((a, b) => a.at.localeCompare(b.at));
  const byMachine = new Map<string, MachineReport>();
  for (const report of reports) {
    const isService = report.isService || byMachine.get(report.machine)?.isService === true;
    byMachine.set(report.machine, { ...report, isService });
  }
  return [...byMachine.values()].toSorted((a, b) => a.machine.localeCompare(b.machine));
}

export async function writeHealthSummary(
  redis: Pick<Redis, 'set'>,
  summary: HealthSummary,
): Promise<void> {
  await redis.set(HEALTH, JSON.stringify(summary), 'PX', MACHINE_MAX_AGE_MS);
}

/**
 * Reads the conditions that workers reported last. Without a running worker, the only condition is `worker.missing`.
 */
export async function readConditions(redis: Pick<Redis, 'get'>): Promise<ConditionName[]> {
  const text = await redis.get(HEALTH);
  return text === null ? ['worker.missing'] : (JSON.parse(text) as HealthSummary).conditions;
}
