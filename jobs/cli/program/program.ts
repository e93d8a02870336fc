import { Command } from 'commander';
import type { ProgramDeps } from '../context.ts';
import { addKeys } from './keys.ts';
import { addMaintenance } from './maintenance.ts';
import { addModels } from './models.ts';
import { addProcesses } from './processes.ts';
import { addSafety } from './safety.ts';
import { addSteps } from './steps.ts';

/** Creates the program `headwind <command>` with all commands. A command loads its code when it runs. */
export function createProgram(deps: ProgramDeps): Command {
  const program = new Command('headwind')
    .description('Loads flights into a warehouse and serves delay-risk scores from them.')
    .showHelpAfterError('(--help lists commands and options)');
  addProcesses(program, deps);
  addSteps(program, deps);
  addModels(program, deps);
  addMaintenance(program, deps);
  addSafety(program, deps);
  addKeys(program, deps);
  return program;
}
