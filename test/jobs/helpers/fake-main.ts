/** The commands of jobs/main.ts with the fake worker and the fake API. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { backfill } from '../../../jobs/cli/commands/backfill.ts';
import { features } from '../../../jobs/cli/commands/features.ts';
import { ingest } from '../../../jobs/cli/commands/ingest.ts';
import { publish } from '../../../jobs/cli/commands/publish.ts';
import { run } from '../../../jobs/cli/commands/run.ts';
import { readConfig } from '../../../jobs/config.ts';
import type { CommandContext } from '../../../jobs/cli/context.ts';
import { CommandError, InterruptedError } from '../../../jobs/errors.ts';

const scriptPath = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const [name = '', ...args] = process.argv.slice(2);

try {
  process.exit(await command());
} catch (error) {
  if (error instanceof InterruptedError) process.exit(130);
  if (!(error instanceof CommandError)) throw error;
  console.error(error.message);
  process.exit(error.exitCode);
}

async function command(): Promise<number> {
  const context: CommandContext = {
    config: readConfig(process.env),
    env: process.env,
    out: process.stdout,
    err: process.stderr,
    now: () => new Date('2026-11-21T00:00:00Z'),
    workerScript: scriptPath('fake-worker.ts'),
  };
  const seedFiles = [process.env['SEED_FILE'] ?? ''];
  switch (name) {
    case 'ingest':
      return ingest(context, { files: args }, () => Promise.reject(new Error('no dry run')));
    case 'backfill':
      return backfill(context, backfillOptions(), () => Promise.reject(new Error('no plan')));
    case 'features':
      return features(context);
    case 'publish':
      return publish(context);
    default:
      return run(context, { apiScript: scriptPath('fake-api.ts'), seedFiles });
  }
}

function backfillOptions() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { from: text, to: text, source: text, force: flag };
  return parseArgs({ args, options }).values;
}
