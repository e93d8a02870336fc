import { diskRoom } from '../../processes/disk-room.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { redisSetup } from '../../processes/redis-safety.ts';
import { readQueueState } from '../../queue/queue-state.ts';
import { openQueues } from '../../queue/queues.ts';
import { schedulesOf } from '../../queue/schedules.ts';
import { readRecords } from '../../../warehouse/live/incident-records.ts';
import { readIncidents } from '../../../warehouse/live/incidents.ts';
import { lakesAtWork } from '../../../warehouse/live/lakes.ts';
import { pendingCount } from '../../watch/delivery.ts';
import { addressName } from '../../watch/webhook.ts';
import type { CommandContext } from '../context.ts';
import { bad, doubtful, well, type Finding } from '../doctor/finding.ts';
import { machineFindings, type Machine } from '../doctor/machine.ts';
import {
  jobFindings,
  lakeFindings,
  noticeFindings,
  queueFindings,
  redisFindings,
} from '../doctor/redis.ts';
import { upstreamFindings, type CertificateEnd } from '../doctor/upstreams.ts';
import { allAtHand } from '../lake-at-hand.ts';
import { setAsideOf } from '../../../warehouse/lake/restore-backup.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { openObjects } from '../../../warehouse/objects/open.ts';
import { count, size } from '../tables.ts';
import { moment } from '../status/times.ts';
import { backupPlaces } from './backup.ts';
import { removal } from './restore-backup.ts';
import { REMEDY, verifyData } from './verify.ts';

/** What the command looks with; a test puts its own here. */
export type DoctorDeps = {
  node: string;
  has: Pick<Machine, 'hasRedisServer' | 'hasXgboost'>;
  certificateEnd: CertificateEnd;
};

/** Looks at all the service stands on and prints what is not well and what helps; 1 when something is bad, 2 when only doubtful. */
export async function doctor(
  context: CommandContext,
  { json }: { json: boolean },
  deps: DoctorDeps,
): Promise<number> {
  const { config, out } = context;
  const { dataDir, redisUrl, minFreeBytes } = config;
  const now = context.now();
  const machine = { node: deps.node, ...deps.has, disk: await diskRoom(dataDir) };
  const findings = [
    ...machineFindings(machine, { hasRedisUrl: redisUrl !== undefined, minFreeBytes }),
    ...(await lookAtRedis(context)),
    ...(await lookAtLake(context)),
    ...(await lookAtFiles(dataDir)),
    ...(await lookAtSetAside(dataDir)),
    ...(await upstreamFindings(config, deps.certificateEnd, now)),
  ];
  out.write(json ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(line).join(''));
  if (findings.some(({ state }) => state === 'bad')) return 1;
  return findings.some(({ state }) => state === 'doubtful') ? 2 : 0;
}

const SIGNS = { well: 'ok ', doubtful: '?  ', bad: '!! ' } as const;

function line({ what, state, text, help }: Finding): string {
  const helps = help === undefined ? '' : `\n     what helps: ${help}`;
  return `${SIGNS[state]}  ${what}: ${text}${helps}\n`;
}

async function lookAtRedis(context: CommandContext): Promise<Finding[]> {
  const { config } = context;
  let session;
  try {
    session = await openRedis(config, 'doctor');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [bad('Redis', why, 'start it, or set REDIS_URL')];
  }
  const queues = openQueues(session.url);
  const redis = await connectOnce(session.url, `headwind-doctor-${process.pid}`);
  try {
    const asked = Date.now();
    const [s, us] = await redis.time();
    const clockOffMs = Number(s) * 1_000 + Number(us) / 1_000 - (asked + Date.now()) / 2;
    const state = await readQueueState(queues, redis, schedulesOf(config.schedule), context.now());
    return [
      ...redisFindings(await redisSetup(redis), clockOffMs),
      ...queueFindings(state, context.now()),
      ...jobFindings(await readIncidents(redis)),
      ...(config.notify
        ? noticeFindings(pendingCount(await readRecords(redis), addressName(config.notify.url)))
        : []),
      ...lakeFindings(await lakesAtWork(redis, context.now())),
    ];
  } finally {
    redis.disconnect();
    await queues.close();
    await session.close();
  }
}

/** A lake that is shared: whether it can be reached, and with all that it has brought here. */
async function lookAtLake({ config }: CommandContext): Promise<Finding[]> {
  if (!config.lake) return [];
  const place = openObjects(config.lake).place;
  try {
    await allAtHand({ config });
    return [well('Lake', `${place} answers`)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [bad('Lake', why, 'see Lake on object storage in docs/operations.md')];
  }
}

/** What restores set aside takes room until a person deletes it. */
async function lookAtSetAside(dataDir: string): Promise<Finding[]> {
  const { lake, models } = backupPlaces(dataPaths(dataDir));
  const found = [...(await setAsideOf(lake)), ...(await setAsideOf(models))];
  return found.map(({ folder, at }) => {
    const text = `${folder} is what was there before a restore at ${moment(at.toISOString())}`;
    return doubtful('set aside', text, `if nothing of it is wanted: ${removal(folder)}`);
  });
}

/** As `make verify` does: every byte that is kept. */
async function lookAtFiles(dataDir: string): Promise<Finding[]> {
  const found = await verifyData(dataDir);
  return found.map(({ what, checked, bytes, damaged }) =>
    damaged.length > 0
      ? bad(what, `damaged: ${damaged.slice(0, 5).join(', ')} (${damaged.length})`, REMEDY[what])
      : well(what, `${count(checked)} checked, ${size(bytes)}, each as it was written`),
  );
}
