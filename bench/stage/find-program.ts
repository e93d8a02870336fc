import { spawnSync } from 'node:child_process';

/** Returns the path of an installed program, or undefined. Searches /usr/sbin too, where servers are. */
export function findProgram(name: string): string | undefined {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], {
    encoding: 'utf8',
    env,
  });
  return status === 0 ? stdout.trim() : undefined;
}

/** Returns the path of the first of these programs that is installed; undefined if none is. */
export function findFirstProgram(names: readonly string[]): string | undefined {
  return names.map(findProgram).find((path) => path !== undefined);
}
