import type { Command } from 'commander';
import { codeVersion } from './arguments.ts';
import type { ProgramDeps } from '../context.ts';

/** What keeps the data through the loss of a machine, and says beforehand what would lose them. */
export function addSafety(program: Command, { context, end }: ProgramDeps): void {
  program
    .command('backup')
    .description('copy lake, models and keys to a folder of their own, while the service runs')
    .requiredOption(
      '--to <folder>',
      'where backups are; what is unchanged since the last is linked',
    )
    .action(async ({ to }: { to: string }) => {
      const { backup } = await import('../commands/backup.ts');
      end(await backup(context(), { to, codeVersion: await codeVersion() }));
    });
  program
    .command('restore-backup')
    .description('bring lake, models, keys and counts back, make the warehouse anew, publish')
    .requiredOption('--from <folder>', 'a backup, or where backups are: then the newest')
    .option('--force', 'also where the lake has months: they are set aside', false)
    .action(async (options: { from: string; force: boolean }) => {
      const { restoreBackup } = await import('../commands/restore-backup.ts');
      end(await restoreBackup(context(), options));
    });
  program
    .command('lake-copy')
    .description('copy a lake between folder and bucket, and read it back')
    .requiredOption('--from <place>', 'a folder that is a lake, or s3://bucket/prefix')
    .requiredOption('--to <place>', 'the same')
    .option('--force', 'also over a lake that has months', false)
    .action(async (options: { from: string; to: string; force: boolean }) => {
      const { lakeCopy } = await import('../commands/lake-copy.ts');
      end(await lakeCopy(context(), options));
    });
  program
    .command('verify')
    .description(
      'hold all that is kept against what was written: lake, versions, downloads, models, store',
    )
    .option('--json', 'for machines', false)
    .action(async (options: { json: boolean }) => {
      const { verify } = await import('../commands/verify.ts');
      end(await verify(context(), options));
    });
  program
    .command('doctor')
    .description('look at all the service stands on: machine, Redis, bytes, schedules, upstreams')
    .option('--json', 'for machines', false)
    .action(async (options: { json: boolean }) => {
      const { doctor } = await import('../commands/doctor.ts');
      const { machineDeps } = await import('../doctor/here.ts');
      const given = context();
      end(await doctor(given, options, machineDeps(given.env)));
    });
  program
    .command('acknowledge')
    .description('take off the failed jobs and refused months that status tells')
    .action(async () => {
      const { acknowledge } = await import('../commands/acknowledge.ts');
      end(await acknowledge(context()));
    });
}
