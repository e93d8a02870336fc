import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { DAY_MS } from '../../warehouse/ground/dates.ts';
import { sha256 } from '../../warehouse/ground/sha256.ts';
import {
  changeRecord,
  readRecords,
  type Delivery,
  type IncidentRecord,
} from '../../warehouse/live/incident-records.ts';
import { SENDING_MS, type Notice, type NoticeHook } from './webhook.ts';

export type DeliveryDeps = {
  redis: Pick<Redis, 'hget' | 'hvals' | 'eval'>;
  /** Absent: this process sends nothing, and leaves what is to be sent to others. */
  hook: NoticeHook | undefined;
  log: Pick<Logger, 'warn'>;
  now: () => Date;
};

/** A process that sends is given longer than it may take; after that it is taken for dead, and another sends. */
const LEASE_MS = 2 * SENDING_MS;
/** A weekend: that something is over, and news, are sent no longer than this. */
const KEPT_MS = 3 * DAY_MS;
const ID_LENGTH = 32;

/**
 * Makes the function that sends what its address does not know yet, and throws when the address does not take one: the next
 * look sends the rest. What failed before is sent last, so that a notice which is never taken holds up no other.
 */
export function createDelivery({ redis, hook, log, now }: DeliveryDeps): () => Promise<void> {
  const failures = new Map<string, number>();
  const failed = ({ key }: IncidentRecord) => failures.get(key) ?? 0;
  return async () => {
    const records = (await readRecords(redis)).toSorted(
      (a, b) => failed(a) - failed(b) || a.since.localeCompare(b.since),
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
        failures.set(record.key, failed(record) + 1);
        await conclude(record, hook.address, redis, false);
        throw error;
      }
      failures.delete(record.key);
      await conclude(record, hook.address, redis, true);
    }
  };
}

/** How many notices that address has not taken. */
export function pendingCount(records: IncidentRecord[], address: string): number {
  return records.filter((record) => isPending(record, address)).length;
}

/** What the address does not know yet; nothing while a process is at sending it. */
function pendingNotice(record: IncidentRecord, address: string, now: Date): Notice | undefined {
  const delivery = record.deliveries[address];
  const isBeingSent = typeof delivery === 'number' && delivery > now.getTime();
  if (isBeingSent || !isPending(record, address)) return undefined;
  const { key, kind, text, since, endedAt, job } = record;
  const id = `msg_${sha256(`${key}\n${since}`).slice(0, ID_LENGTH)}`;
  const data = job === undefined ? { key, since } : { job };
  return isOver(record)
    ? { id: `${id}_over`, type: `${kind}.over`, at: endedAt ?? since, text: wellAgain(key), data }
    : { id, type: kind, at: since, text, data };
}

/** That something is over is sent to whoever may know of it, the beginning of it to whoever does not. */
function isPending(record: IncidentRecord, address: string): boolean {
  const delivery = record.deliveries[address];
  return isOver(record) ? delivery !== undefined : delivery !== 'taken';
}

function isOver({ endedAt, job }: IncidentRecord): boolean {
  return endedAt !== undefined && job === undefined;
}

function wellAgain(key: string): string {
  return `Well again: ${key}`;
}

/** Notes that this process sends; false when another one does, or there is nothing to be sent any more. */
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

/** Notes what came of sending; of what has become another incident meanwhile nothing, which is then sent when the lease is over. */
async function conclude(
  sent: IncidentRecord,
  address: string,
  redis: DeliveryDeps['redis'],
  isTaken: boolean,
): Promise<void> {
  await changeRecord(redis, sent.key, (record) => {
    if (record?.since !== sent.since) return record;
    // An address that answered too late may know of it after all.
    if (!isOver(sent)) return withDelivery(record, address, isTaken ? 'taken' : 0);
    return isTaken ? withoutDelivery(record, address) : withDelivery(record, address, 'taken');
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

/** Gives up what ended long ago; says whether it did. */
async function dropOld(
  { key, kind, endedAt, job, deliveries }: IncidentRecord,
  { redis, log, now }: Omit<DeliveryDeps, 'hook'>,
): Promise<boolean> {
  const isOld = (ended?: string) =>
    ended !== undefined && now().getTime() - Date.parse(ended) > KEPT_MS;
  if (!isOld(endedAt)) return false;
  const isDropped = await changeRecord(redis, key, (record) =>
    isOld(record?.endedAt) ? undefined : record,
  );
  const tried = Object.values(deliveries);
  const isUnsent = job === undefined || tried.some((delivery) => delivery !== 'taken');
  if (isDropped && isUnsent) log.warn({ key, kind }, 'notice given up');
  return true;
}
