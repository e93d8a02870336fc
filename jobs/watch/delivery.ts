import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { DAY_MS } from '../../warehouse/ground/dates.ts';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import {
  changeRecord,
  readRecords,
  type Delivery,
  type IncidentRecord,
} from '../../warehouse/live/incident-records.ts';
import { SENDING_MS, type Notice, type NoticeHook } from './webhook.ts';

export type DeliveryDeps = {
  redis: Pick<Redis, 'hget' | 'hvals' | 'eval'>;
  /** If absent, this process sends no notices, because other processes send them. */
  hook: NoticeHook | undefined;
  log: Pick<Logger, 'warn'>;
  now: () => Date;
};

/** Duration of the lease for sending, longer than sending may take. After the lease expires, another process sends. */
const LEASE_MS = 2 * SENDING_MS;
/** Age at which news and resolved incidents are dropped unsent. It is longer than a weekend. */
const RETENTION_MS = 3 * DAY_MS;
const ID_LENGTH = 32;

/**
 * Creates the function that sends all pending notices. Throws when the address does not accept a notice; the next call
 * sends the remaining notices. Notices that failed in an earlier call come last, so that they do not block the others.
 */
export function createDelivery({ redis, hook, log, now }: DeliveryDeps): () => Promise<void> {
  const failures = new Map<string, number>();
  const failureCount = ({ key }: IncidentRecord) => failures.get(key) ?? 0;
  return async () => {
    const records = (await readRecords(redis)).toSorted(
      (a, b) => failureCount(a) - failureCount(b) || a.since.localeCompare(b.since),
    );
    for (const record of records) {
      if (await dropOld(record, { redis, log, now })) {
        failures.delete(record.key);
        continue;
      }
      const notice = hook && pendingNotice(record, hook.address, now());
      if (!notice || !(await claim(record, hook.address, { redis, now }))) continue;
      try {
        await hook.send(notice);
      } catch (error) {
        failures.set(record.key, failureCount(record) + 1);
        await recordOutcome(record, hook.address, redis, false);
        throw error;
      }
      failures.delete(record.key);
      await recordOutcome(record, hook.address, redis, true);
    }
  };
}

/** Counts the notices that the address has not accepted. */
export function countPending(records: IncidentRecord[], address: string): number {
  return records.filter((record) => isPending(record, address)).length;
}

/**
 * Returns the notice that is due for the address. Undefined if no notice is due or if a process is already sending the
 * notice.
 */
function pendingNotice(record: IncidentRecord, address: string, now: Date): Notice | undefined {
  const delivery = record.deliveries[address];
  const isBeingSent = typeof delivery === 'number' && delivery > now.getTime();
  if (isBeingSent || !isPending(record, address)) return undefined;
  const { key, kind, text, since, endedAt, job } = record;
  const id = `msg_${sha256(`${key}\n${since}`).slice(0, ID_LENGTH)}`;
  const data = job === undefined ? { key, since } : { job };
  return isOver(record)
    ? {
        id: `${id}_over`,
        type: `${kind}.over`,
        at: endedAt ?? since,
        text: `Resolved: ${key}`,
        data,
      }
    : { id, type: kind, at: since, text, data };
}

/**
 * Returns whether a notice is due:
 * - The notice that an incident began is due until the address accepts this notice.
 * - The notice that an incident ended is due only if the address may have received the notice that the incident began.
 */
function isPending(record: IncidentRecord, address: string): boolean {
  if (record.isAcknowledged) return false;
  const delivery = record.deliveries[address];
  return isOver(record) ? delivery !== undefined : delivery !== 'taken';
}

function isOver({ endedAt, job }: IncidentRecord): boolean {
  return endedAt !== undefined && job === undefined;
}

/** Takes the lease for sending. Returns false if another process has the lease, or if nothing is left to send. */
async function claim(
  { key, since, endedAt }: IncidentRecord,
  address: string,
  { redis, now }: Pick<DeliveryDeps, 'redis' | 'now'>,
): Promise<boolean> {
  return changeRecord(redis, key, (record) => {
    const isSame = record?.since === since && record.endedAt === endedAt;
    if (!isSame || !pendingNotice(record, address, now())) return record;
    return withDelivery(record, address, now().getTime() + LEASE_MS);
  });
}

/**
 * Records the result of sending. If the record now describes another incident, changes nothing. The notice of the other
 * incident is sent when the lease expires.
 */
async function recordOutcome(
  sent: IncidentRecord,
  address: string,
  redis: DeliveryDeps['redis'],
  isAccepted: boolean,
): Promise<void> {
  await changeRecord(redis, sent.key, (record) => {
    if (record?.since !== sent.since) return record;
    // If the address answers too late, it may still have accepted the notice.
    if (!isOver(sent)) return withDelivery(record, address, isAccepted ? 'taken' : 0);
    return isAccepted ? withoutDelivery(record, address) : withDelivery(record, address, 'taken');
  });
}

function withDelivery(record: IncidentRecord, address: string, delivery: Delivery): IncidentRecord {
  return { ...record, deliveries: { ...record.deliveries, [address]: delivery } };
}

function withoutDelivery(record: IncidentRecord, address: string): IncidentRecord | undefined {
  const { [address]: _, ...deliveries } = record.deliveries;
  return isOver(record) && Object.keys(deliveries).length === 0
    ? undefined
    : { ...record, deliveries };
}

/** Drops the record of an incident that ended long ago. Returns whether the record is too old. */
async function dropOld(
  { key, kind, endedAt, job, deliveries }: IncidentRecord,
  { redis, log, now }: Omit<DeliveryDeps, 'hook'>,
): Promise<boolean> {
  const isOld = (endTime?: string) =>
    endTime !== undefined && now().getTime() - Date.parse(endTime) > RETENTION_MS;
  if (!isOld(endedAt)) return false;
  const isDropped = await changeRecord(redis, key, (record) =>
    isOld(record?.endedAt) ? undefined : record,
  );
  const states = Object.values(deliveries);
  const isUnsent = job === undefined || states.some((delivery) => delivery !== 'taken');
  if (isDropped && isUnsent) log.warn({ key, kind }, 'notice dropped');
  return true;
}
