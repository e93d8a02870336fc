import { spawnSync } from 'node:child_process';

/** Where a program lies; undefined where it is not installed. Servers may be where only root looks. */
export function installedAt(name: string): string | undefined {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], {
    encoding: 'utf8',
    env,
  });
  return status === 0 ? stdout.trim() : undefined;
}
