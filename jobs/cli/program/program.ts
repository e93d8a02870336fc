import { Command } from 'commander';
import type { ProgramDeps } from '../context.ts';
import { addKeys } from './keys.ts';
import { addMaintenance } from './maintenance.ts';
import { addModels } from './models.ts';
import { addProcesses } from './processes.ts';
import { addSafety } from './safety.ts';
import { addSteps } from './steps.ts';

/** `headwind <command>`: every command there is. What a command needs is loaded when it runs. */
export function createProgram(deps: ProgramDeps): Command {
  const program = new Command('headwind')
    .description('Brings flights into the warehouse and serves scores from them.')
    .showHelpAfterError('(--help says what there is)');
  addProcesses(program, deps);
  addSteps(program, deps);
  addModels(program, deps);
  addMaintenance(program, deps);
  addSafety(program, deps);
  addKeys(program, deps);
  return program;
}
