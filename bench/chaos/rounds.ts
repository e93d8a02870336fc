import { Command } from 'commander';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { randomFrom, type Random } from '../generate/random.ts';
import { countArgument } from './options.ts';

/** One round: what was disturbed, and the broken promises. */
export type RoundResult = { what: string; problems: string[] };

/** Parses the options `--rounds` and `--seed` of a part. */
export function roundOptions(part: string, description: string): { rounds: number; seed: number } {
  return new Command(`chaos-${part}`)
    .description(description)
    .option('--rounds <count>', 'number of rounds', countArgument, 20)
    .option('--seed <number>', 'seed of the random moments', countArgument, 1)
    .parse()
    .opts<{ rounds: number; seed: number }>();
}

/** Runs the rounds of a part, prints broken promises, and returns the exit code. An error breaks the promise too. */
export async function runRounds(
  part: string,
  { rounds, seed }: { rounds: number; seed: number },
  runRound: (round: number, random: Random) => Promise<RoundResult>,
): Promise<number> {
  const random = randomFrom(`${part} ${seed}`);
  const line = progressLine(part, process.stderr);
  let failed = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { what, problems } = await runRound(round, random).catch((error: unknown) => ({
      what: 'stopped',
      problems: [error instanceof Error ? error.message : String(error)],
    }));
    if (problems.length > 0) failed += 1;
    line.show({ done: round + 1, total: rounds, what });
    if (problems.length > 0) line.note(`round ${round + 1}, ${what}: ${problems.join('; ')}`);
  }
  line.end();
  console.log(`${rounds - failed} of ${rounds} rounds kept the promise`);
  return failed === 0 ? 0 : 1;
}
