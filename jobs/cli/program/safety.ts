import type { Command } from 'commander';
import { codeVersion } from './arguments.ts';
import type { ProgramDeps } from '../context.ts';
import type { AnswerRequest } from '../commands/answer-again.ts';

/** Adds the commands that protect the data against the loss of a machine, and the commands that diagnose problems. */
export function addSafety(program: Command, { context, end }: ProgramDeps): void {
  program
    .command('backup')
    .description('copy lake, models and keys to another disk while the service runs')
    .option(
      '--to <folder>',
      'folder of the backups (default: BACKUP_TO); files unchanged since the last backup are linked',
    )
    .action(async (options: { to?: string }) => {
      const { backup } = await import('../commands/backup.ts');
      end(await backup(context(), { ...options, codeVersion: await codeVersion() }));
    });
  program
    .command('restore-backup')
    .description('restore lake, models, keys and counts from a backup, rebuild and publish')
    .requiredOption(
      '--from <folder>',
      'a backup, or a folder of backups; the newest backup in the folder is used',
    )
    .option('--force', 'replace a lake that has months; they are moved to another folder', false)
    .action(async (options: { from: string; force: boolean }) => {
      const { restoreBackup } = await import('../commands/restore-backup.ts');
      end(await restoreBackup(context(), options));
    });
  program
    .command('lake-copy')
    .description('copy a lake between a folder and a bucket, and verify the copy')
    .requiredOption('--from <place>', 'folder of a lake, or s3://bucket/prefix')
    .requiredOption('--to <place>', 'folder, or s3://bucket/prefix')
    .option('--force', 'copy even if the target lake already has months of flights', false)
    .action(async (options: { from: string; to: string; force: boolean }) => {
      const { lakeCopy } = await import('../commands/lake-copy.ts');
      end(await lakeCopy(context(), options));
    });
  addProofs(program, { context, end });
  program
    .command('verify')
    .description(
      'compare every stored file with its checksum: lake, versions, downloads, models, store',
    )
    .option('--json', 'print JSON', false)
    .action(async (options: { json: boolean }) => {
      const { verify } = await import('../commands/verify.ts');
      end(await verify(context(), options));
    });
  program
    .command('free-space')
    .description('delete downloads and temporary files, and list what else fills the disk')
    .action(async () => {
      const { freeSpace } = await import('../commands/free-space.ts');
      end(await freeSpace(context()));
    });
  program
    .command('doctor')
    .description(
      'check machine, disk, clock, Redis, all stored files, schedules and upstreams, and suggest fixes',
    )
    .option('--json', 'print JSON', false)
    .action(async (options: { json: boolean }) => {
      const { doctor, machineDeps } = await import('../commands/doctor.ts');
      const commandContext = context();
      end(await doctor(commandContext, options, machineDeps(commandContext.env)));
    });
  program
    .command('acknowledge')
    .description(
      'clear the failed jobs, refused months and warnings that status lists; new ones are still listed',
    )
    .action(async () => {
      const { acknowledge } = await import('../commands/acknowledge.ts');
      end(await acknowledge(context()));
    });
}

/** Adds the commands that compute former answers again. */
function addProofs(program: Command, { context, end }: Pick<ProgramDeps, 'context' | 'end'>): void {
  program
    .command('stores')
    .description('list and verify the stored versions of the score store')
    .option('--json', 'print JSON', false)
    .action(async ({ json }: { json: boolean }) => {
      const { listStores } = await import('../commands/stores.ts');
      end(await listStores(context(), json));
    });
  program
    .command('answer-again')
    .description('compute a former answer again from the stored version and live data of its time')
    .option('--store <version>', 'version of the score store, from X-Store-Version')
    .option('--query <query>', 'parameters of /api/score, or path and parameters')
    .option('--at <time>', 'when the answer was given, such as 2026-11-23T10:15:00Z')
    .option('--file <path>', 'a saved answer, as curl -i prints it, or its body')
    .option('--signature <header>', 'the header X-Signature of a saved body')
    .action(async (options: AnswerRequest) => {
      const { repeatAnswer } = await import('../commands/answer-again.ts');
      end(await repeatAnswer(context(), options));
    });
}
