import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dataPaths } from '../../../warehouse/paths.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';

/**
 * Opens the DuckDB prompt on the readers' copy of the warehouse. No job waits for this copy. Returns the exit code of
 * DuckDB.
 */
export async function shell({ config, env, err }: CommandContext): Promise<number> {
  const { readFile } = dataPaths(config.dataDir);
  if (!existsSync(readFile)) {
    throw new CommandError(
      'There is no copy of the warehouse yet. To create one, run: make features publish',
    );
  }
  const child = spawn('duckdb', ['-readonly', readFile], { stdio: 'inherit', env });
  try {
    await once(child, 'spawn');
  } catch {
    err.write(`The program duckdb is not installed. Install it from duckdb.org, then run:
  duckdb -readonly ${readFile}
Any tool that reads DuckDB may keep this file open; each publish replaces it with a new one.
Without duckdb: make sql Q="show tables"
`);
    return 1;
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
