import { readdir, readFile } from 'node:fs/promises';

/** Returns the process ids of running trainings of a data folder, from /proc. */
export async function trainingChildren(dataDir: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids
    .filter((_, at) => {
      const command = commands[at] ?? '';
      return command.includes('training-child.ts') && command.includes(dataDir);
    })
    .map(Number);
}
