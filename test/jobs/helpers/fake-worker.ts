/** A worker process with fake steps, started like the real worker. */
import { worker } from '../../../jobs/cli/commands/worker.ts';
import { readConfig } from '../../../jobs/config.ts';
import { fakeSteps } from './fake-steps.ts';

const config = readConfig(process.env);
process.exit(
  await worker(config, () => fakeSteps(config.dataDir), {
    codeVersion: 'fake',
    isService: !process.argv.includes('--for-command'),
  }),
);
