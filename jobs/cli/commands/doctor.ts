import { readDiskSpace } from '../../processes/disk-space.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { readRedisSetup } from '../../processes/redis-safety.ts';
import { readRecords } from '../../../warehouse/live/incident-records.ts';
import { countPending } from '../../watch/delivery.ts';
import { addressHash } from '../../watch/webhook.ts';
import type { CommandContext } from '../context.ts';
import { badFinding, doubtfulFinding, okFinding, type Finding } from '../doctor/finding.ts';
import { machineFindings, type Machine } from '../doctor/machine.ts';
import { noticeFindings, redisFindings } from '../doctor/redis.ts';
import { upstreamFindings, type CertificateEnd, certificateEnd } from '../doctor/upstreams.ts';
import { fetchWholeLake } from '../lake-refresh.ts';
import { listReplacedFolders } from '../../../warehouse/lake/restore-backup.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { openObjects } from '../../../warehouse/objects/open.ts';
import { countOf, size } from '../tables.ts';
import { moment } from '../../../warehouse/ground/duration.ts';
import { verdictOf, type Verdict } from '../status/verdict.ts';
import { backupPlaces } from '../../wiring/backup-space.ts';
import { collectAll } from './status.ts';
import { removalCommand } from './restore-backup.ts';
import { REMEDY, verifyData } from './verify.ts';
import { isAcknowledgeable } from '../../../warehouse/live/incidents.ts';
import type { Env } from '../../config.ts';
import { REDIS, systemEffects, XGBOOST_LIBRARY } from '../setup.ts';

/** Facts about the machine, and the function that checks certificates. Tests replace them. */
export type DoctorDeps = {
  node: string;
  has: Pick<Machine, 'hasRedisServer' | 'hasXgboost'>;
  certificateEnd: CertificateEnd;
};

/**
 * Checks everything the service depends on and prints findings with fixes. Returns 1 if a finding is bad, 2 if a
 * finding is only doubtful.
 */
export async function doctor(
  context: CommandContext,
  { json }: { json: boolean },
  deps: DoctorDeps,
): Promise<number> {
  const { config, out } = context;
  const { dataDir, redisUrl } = config;
  const now = context.now();
  const machine = { node: deps.node, ...deps.has, disk: await readDiskSpace(dataDir) };
  const findings = [
    ...machineFindings(machine, { hasRedisUrl: redisUrl !== undefined }),
    ...(await checkRedis(context)),
    ...(await checkHealth(context)),
    ...(await checkFiles(dataDir)),
    ...(await findFormerFolders(dataDir)),
    ...(await upstreamFindings(config, deps.certificateEnd, now)),
  ];
  out.write(json ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(formatFinding).join(''));
  if (findings.some(({ state }) => state === 'bad')) return 1;
  return findings.some(({ state }) => state === 'doubtful') ? 2 : 0;
}

const SIGNS = { well: 'ok ', doubtful: '?  ', bad: '!! ' } as const;

function formatFinding({ what, state, text, help }: Finding): string {
  const fix = help === undefined ? '' : `\n     fix: ${help}`;
  return `${SIGNS[state]}  ${what}: ${text}${fix}\n`;
}

async function checkRedis(context: CommandContext): Promise<Finding[]> {
  const { config } = context;
  let session;
  try {
    session = await openRedis(config, 'doctor');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [badFinding('Redis', why, 'start Redis, or correct REDIS_URL')];
  }
  const redis = await connectOnce(session.url, `headwind-doctor-${process.pid}`);
  try {
    const startedAt = Date.now();
    const [s, us] = await redis.time();
    const clockOffMs = Number(s) * 1_000 + Number(us) / 1_000 - (startedAt + Date.now()) / 2;
    return [
      ...redisFindings(await readRedisSetup(redis), clockOffMs),
      ...(config.notify
        ? noticeFindings(countPending(await readRecords(redis), addressHash(config.notify.url)))
        : []),
    ];
  } finally {
    redis.disconnect();
    await session.close();
  }
}

/**
 * Judges the status of the service like `make status`. Fetches the whole shared lake first, so that its files can be
 * checked.
 */
async function checkHealth(context: CommandContext): Promise<Finding[]> {
  const { config } = context;
  if (!config.lake) return healthFindings(verdictOf(await collectAll(context)));
  const { place } = openObjects(config.lake);
  const problem = await fetchWholeLake({ config }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const lake = { place, ...(problem !== undefined && { problem }) };
  return [
    ...(problem === undefined ? [okFinding('Lake', `${place} answers`)] : []),
    ...healthFindings(verdictOf(await collectAll(context, lake))),
  ];
}

/** Finds folders that were replaced by a restore. They use disk space until an operator deletes them. */
async function findFormerFolders(dataDir: string): Promise<Finding[]> {
  const { lake, models } = backupPlaces(dataPaths(dataDir));
  const folders = [...(await listReplacedFolders(lake)), ...(await listReplacedFolders(models))];
  return folders.map(({ folder, at }) => {
    const text = `${folder} has the files from before the restore at ${moment(at.toISOString())}`;
    return doubtfulFinding(
      'former files',
      text,
      `if you no longer need them: ${removalCommand(folder)}`,
    );
  });
}

/** Compares every stored file with its checksum, like `make verify`. */
async function checkFiles(dataDir: string): Promise<Finding[]> {
  const results = await verifyData(dataDir);
  return results.map(({ what, checked, bytes, damaged }) => {
    if (damaged.length === 0) {
      return okFinding(what, `${countOf(checked, 'file')} checked, ${size(bytes)}, all intact`);
    }
    const names = damaged.slice(0, 5).join(', ');
    return badFinding(what, `${damaged.length} damaged: ${names}`, REMEDY[what]);
  });
}

const HELP = 'see "Conditions" in docs/operations.md';

/** Returns a finding for each problem of the verdict. The finding has the name of the problem's condition. */
function healthFindings({ problems }: Verdict): Finding[] {
  if (problems.length === 0) return [okFinding('health', 'make status finds no problem')];
  return problems.map(({ kind, state, text }) => {
    const help = isAcknowledgeable({ kind })
      ? `fix the cause, then repeat the command; to clear the message, run make acknowledge`
      : HELP;
    return (state === 'failing' ? badFinding : doubtfulFinding)(kind, text, help);
  });
}

/** Returns the facts about this machine, and the function that checks certificates. */
export function machineDeps({ PATH = '' }: Env): DoctorDeps {
  const { hasCommand, hasLibrary } = systemEffects(PATH);
  const has = { hasRedisServer: hasCommand(REDIS), hasXgboost: hasLibrary(XGBOOST_LIBRARY) };
  return { node: process.versions.node, has, certificateEnd };
}
