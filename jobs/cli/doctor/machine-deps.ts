import type { Env } from '../../config.ts';
import { REDIS, systemEffects, XGBOOST_LIBRARY } from '../setup.ts';
import type { DoctorDeps } from '../commands/doctor.ts';
import { certificateEnd } from './upstreams.ts';

/** Returns the dependencies of the doctor on this machine. */
export function machineDeps({ PATH = '' }: Env): DoctorDeps {
  const { hasCommand, hasLibrary } = systemEffects(PATH);
  const has = { hasRedisServer: hasCommand(REDIS), hasXgboost: hasLibrary(XGBOOST_LIBRARY) };
  return { node: process.versions.node, has, certificateEnd };
}
