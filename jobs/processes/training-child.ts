/** `node training-child.ts REQUEST`: the process a model is trained in, started by `trainInChild`. */
import { constants, setPriority } from 'node:os';
import { isFinal } from '../../warehouse/errors.ts';
import { retrainHere } from './retrain-here.ts';
import type { TrainingMessage, TrainingRequest } from './train-in-child.ts';

const parent = process.ppid;
// The parent hangs up once it has the outcome; a parent that was killed hangs up too.
process.on('disconnect', () => process.exit());
// Answering callers comes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

try {
  const [request = ''] = process.argv.slice(2);
  send({ retrained: await retrainHere(JSON.parse(request) as TrainingRequest, progress) });
} catch (error) {
  const problem = error instanceof Error ? error.message : String(error);
  send({ problem, isFinal: isFinal(error) });
}

function progress(...told: [done: number, total: number, what: string]): void {
  // While trees grow no event comes through, so that a parent that is gone is noticed here.
  if (process.ppid !== parent) process.exit(1);
  send({ progress: told });
}

function send(message: TrainingMessage): void {
  process.send?.(message);
}
