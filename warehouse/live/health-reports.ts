import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { ConditionName, Problem } from './conditions.ts';
import { isRecent, readReports, removeReport, writeReport, type Report } from './reports.ts';

/** What the workers of a data folder report about themselves. */
export type MachineReport = Report & {
  /** Data folder and host. Workers with an equal folder and host share a report. */
  machine: string;
  /** Id of the lake; workers with equal ids work on the same lake. */
  lake: string;
  /** Whether the worker belongs to the service and registers schedules; workers of a command do not. */
  isService: boolean;
  problems: Problem[];
};

/** What the processes of an API behind one address report. */
export type ApiReport = Report & {
  /** `host:port` and the name of the machine. */
  address: string;
  /** Why calls cannot be answered; absent if they can. */
  problem?: string;
};

/** The conditions that hold, for the API's own answers. */
export type HealthSummary = Report & { conditions: ConditionName[] };

/** Returns the name of the machine of a data folder. */
export function machineName(dataDir: string, host = hostname()): string {
  return `${dataDir} on ${host}`;
}

const MACHINES = 'hw:machines';
const APIS = 'hw:apis';
const HEALTH = 'hw:health';
/** Workers renew their report every half minute. */
const MACHINE_MAX_AGE_MS = 2 * 60_000;
/** APIs renew their report every 10 s. */
const API_MAX_AGE_MS = 40_000;

type Reader = Pick<Redis, 'hgetall' | 'hdel'>;

export async function writeMachineReport(
  redis: Pick<Redis, 'hset'>,
  report: MachineReport,
): Promise<void> {
  await writeReport(redis, MACHINES, report.machine, report);
}

/** Removes the report when a worker ends. Other workers of the folder write it again. */
export async function removeMachineReport(
  redis: Pick<Redis, 'hdel'>,
  machine: string,
): Promise<void> {
  await removeReport(redis, MACHINES, machine);
}

/** Reads the reports of the machines whose workers run. */
export async function readMachineReports(redis: Reader, now: Date): Promise<MachineReport[]> {
  const reports = await readReports<MachineReport>(redis, MACHINES, now);
  return reports.filter((report) => isRecent(report, now, MACHINE_MAX_AGE_MS));
}

export async function writeApiReport(redis: Pick<Redis, 'hset'>, report: ApiReport): Promise<void> {
  await writeReport(redis, APIS, report.address, report);
}

export async function removeApiReport(redis: Pick<Redis, 'hdel'>, address: string): Promise<void> {
  await removeReport(redis, APIS, address);
}

/** Reads the reports of all APIs. A report that was not renewed says that the API does not answer. */
export async function readApiReports(redis: Reader, now: Date): Promise<ApiReport[]> {
  const reports = await readReports<ApiReport>(redis, APIS, now);
  return reports.map((report) =>
    isRecent(report, now, API_MAX_AGE_MS) ? report : { ...report, problem: 'it does not report' },
  );
}

export async function writeHealthSummary(
  redis: Pick<Redis, 'set'>,
  summary: HealthSummary,
): Promise<void> {
  await redis.set(HEALTH, JSON.stringify(summary), 'PX', MACHINE_MAX_AGE_MS);
}

/** Reads the conditions that workers reported last; empty if no worker runs. */
export async function readConditions(redis: Pick<Redis, 'get'>): Promise<ConditionName[]> {
  const text = await redis.get(HEALTH);
  return text === null ? [] : (JSON.parse(text) as HealthSummary).conditions;
}
