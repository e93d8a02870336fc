import type { Logger } from 'pino';
import type { Keystore } from '../../warehouse/keyring/keystore.ts';
import type { OpsSessions } from '../../warehouse/live/ops-sessions.ts';
import type { OpsSummary } from '../../warehouse/live/ops-summary.ts';
import type { OpsConfig } from '../config.ts';
import type { Answered } from '../metrics/api-metrics.ts';
import type { OpenOperations } from '../schemas/operations.ts';

/** Of Redis, for the summary of decades too; nobody is answered in the hot path here. */
export const REDIS_DEADLINE_MS = 2_000;

/** Everything the operators' pages are made of. */
export type OpsDeps = OpsConfig & {
  /** As a worker wrote it last; undefined when none has. */
  summary: () => Promise<OpsSummary | undefined>;
  operations: OpenOperations;
  sessions: OpsSessions;
  /** Whether that is the token of the address that `make run` printed last; it is used up by being asked for. */
  takeEntry: (token: string) => Promise<boolean>;
  /** Whose key is checked at the login. */
  keys: Pick<Keystore, 'admit'>;
  /** Whether the key with which somebody logged in is still one that may. */
  isAdmin: (prefix: string, at: Date) => Promise<boolean>;
  answered?: Answered;
  requestLinesPerS: number;
  now: () => Date;
  log: Logger;
};
