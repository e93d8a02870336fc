import { userInfo } from 'node:os';
import { opsAction, type ScheduleChange } from '../../../api/schemas/operations.ts';
import { recordRun } from '../../../pipelines/ledger.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { readSchedules } from '../../queue/operations.ts';
import { openQueues } from '../../queue/queues.ts';
import { operatorRun } from '../../queue/handlers/operator-request.ts';
import { changeSchedule, ScheduleRefusedError } from '../../queue/schedule-changes.ts';
import { schedulesOf } from '../../queue/schedules.ts';
import { createLedger } from '../../wiring/ledger.ts';
import type { CommandContext } from '../context.ts';
import { scheduleLines } from '../status/queues-text.ts';

/** Options as typed on the command line. */
export type ScheduleOptions = {
  id?: string;
  pattern?: string;
  pause: boolean;
  resume: boolean;
  reset: boolean;
  json: boolean;
};

/** Lists the schedules, or changes one and prints it. A change applies at once and is recorded in the ledger. */
export async function schedule(
  context: CommandContext,
  options: ScheduleOptions,
  codeVersion: string,
): Promise<number> {
  const change = changeOf(options);
  const { config, out, now } = context;
  const session = await openRedis(config, 'schedule');
  const queues = openQueues(session.url);
  const redis = await connectOnce(session.url, `headwind-schedule-${process.pid}`);
  try {
    const schedules = schedulesOf(config.schedule);
    if (change) {
      const request = { kind: 'schedule' as const, ...change, by: userInfo().username };
      const ledger = createLedger(dataPaths(config.dataDir), codeVersion);
      await recordRun(
        'request',
        ledger,
        () => changeSchedule(change, request.by, { queues, redis, schedules, now }),
        () => operatorRun(request, { jobs: [] }),
      );
    }
    const all = await readSchedules(queues, redis, schedules);
    const chosen = options.id === undefined ? all : all.filter(({ id }) => id === options.id);
    if (chosen.length === 0) {
      const ids = all.map(({ id }) => id).join(', ');
      throw new CommandError(`There is no schedule ${options.id}; the schedules are ${ids}`);
    }
    const at = now().toISOString();
    const text = chosen.flatMap((one) => scheduleLines(one, at)).join('\n');
    out.write(options.json ? `${JSON.stringify(chosen, null, 2)}\n` : `${text}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ScheduleRefusedError)) throw error;
    throw new CommandError(`Nothing was changed: ${error.message}`, { cause: error });
  } finally {
    redis.disconnect();
    await queues.close();
    await session.close();
  }
}

/** Returns the requested change; undefined if the schedules are only listed. */
function changeOf({
  id,
  pattern,
  pause,
  resume,
  reset,
}: ScheduleOptions): ScheduleChange | undefined {
  const wanted = [
    ...(pattern === undefined ? [] : ['pattern']),
    ...(pause ? ['pause'] : []),
    ...(resume ? ['resume'] : []),
    ...(reset ? ['reset'] : []),
  ];
  if (wanted.length === 0) return undefined;
  if (wanted.length > 1) {
    throw new CommandError('One change at a time: CRON, PAUSE, RESUME or RESET');
  }
  if (id === undefined) {
    throw new CommandError('NAME is missing. Example: make schedule NAME=news PAUSE=1');
  }
  const parsed = opsAction.safeParse({ kind: 'schedule', id, change: wanted[0], pattern });
  if (!parsed.success) throw new CommandError(parsed.error.issues[0]?.message ?? 'bad change');
  if (parsed.data.kind !== 'schedule') return undefined;
  const { kind: _, ...change } = parsed.data;
  return change;
}
