import { download } from '../../../pipelines/flights/download.ts';
import { downloadPlace } from '../../../pipelines/flights/download-place.ts';
import { isMonth } from '../../../pipelines/flights/months.ts';
import type { HttpGet } from '../../../pipelines/http-get.ts';
import { PROVIDERS } from '../../../pipelines/providers/index.ts';
import { createPageReader, type Release } from '../../../pipelines/providers/releases.ts';
import { isFinal } from '../../../warehouse/errors.ts';
import { CommandError } from '../../errors.ts';
import { isBaseUrl } from '../../settings/kinds.ts';
import { downloadsDir } from '../../wiring/month-steps.ts';
import type { CommandContext } from '../context.ts';
import { progressLine } from '../progress-line.ts';
import { withJobs } from '../session.ts';
import { table } from '../tables.ts';
import { parseMonthRange, type BackfillOptions } from './backfill.ts';
import { ingestFile } from './ingest.ts';
import { hasLoaded, hasProblem, ingestSummary, type FileResult } from './ingest-summary.ts';
import { publishNow } from './publish.ts';

const EXAMPLE = 'Example: make backfill PROVIDER=caa FROM=2018 TO=2025';

/**
 * Downloads the files of another provider for a range of months or years, loads them one after another and prints a
 * table. Returns 1 if a file failed or a month was refused.
 */
export async function backfillProvider(
  context: CommandContext,
  { provider, ...options }: BackfillOptions & { provider: string },
  get: HttpGet,
): Promise<number> {
  const index = indexOf(provider);
  const months = parseMonthRange(
    { ...toMonth('from', options.from, '01'), ...toMonth('to', options.to, '12') },
    EXAMPLE,
  );
  if (context.config.offline) {
    throw new CommandError(
      'OFFLINE=1 is set, so nothing is downloaded. To load a file: make ingest FILE=path',
    );
  }
  const own = context.config.providerUrls[provider] ?? index.address;
  const address = options.source?.replace(/\/+$/, '') || own;
  if (!isBaseUrl(address)) {
    throw new CommandError('SOURCE is not a plain http(s):// address');
  }
  const releases = await listReleases(() =>
    index.list(months, { address, readPage: createPageReader(get) }),
  );
  if (releases.length === 0) throw new CommandError(`${address} has no files of these months`);
  if (options.dryRun === true) {
    context.out.write(
      `${table(
        ['period', 'file'],
        releases.map(({ period, url }) => [period, url]),
      )}\n`,
    );
    return 0;
  }
  return withJobs(context, 'backfill', async (session) => {
    const results: FileResult[] = [];
    for (const release of releases) {
      const file = await fetchRelease(context, { provider, release, force: options.force }, get);
      if ('failure' in file) results.push(file);
      else {
        const force = options.force === true && { force: true };
        results.push(await ingestFile(context, session, [file.path], { ...force }));
      }
    }
    const publish = options.publish === true;
    const { keepVersions } = context.config;
    context.out.write(ingestSummary(results, { publish, keepVersions }));
    const code = hasProblem(results) ? 1 : 0;
    if (!publish || !hasLoaded(results)) return code;
    return Math.max(code, await publishNow(context, session));
  });
}

const PROVIDER_NAMES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function indexOf(name: string) {
  const provider = PROVIDERS.find((one) => one.name === name);
  if (provider?.releases) return provider.releases;
  const names = PROVIDER_NAMES.format(PROVIDERS.flatMap((one) => (one.releases ? [one.name] : [])));
  const why =
    provider === undefined
      ? `No provider has the name "${name}"`
      : `Files of ${provider.title} cannot be downloaded by this command; load them with make ingest FILE=path`;
  throw new CommandError(`${why}. PROVIDER= can be ${names}`);
}

/** Completes a year to a month, such as `2019` to `2019-01`. */
function toMonth(key: 'from' | 'to', text: string | undefined, month: string) {
  if (text === undefined) return {};
  return { [key]: isMonth(text) || !/^\d{4}$/.test(text) ? text : `${text}-${month}` };
}

/** Turns an unreachable server or a changed page into a message for the operator. */
async function listReleases(list: () => Promise<Release[]>): Promise<Release[]> {
  try {
    return await list();
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

async function fetchRelease(
  { config, err }: CommandContext,
  {
    provider,
    release,
    force = false,
  }: { provider: string; release: Release; force?: boolean | undefined },
  get: HttpGet,
): Promise<{ path: string } | { name: string; failure: string }> {
  const name = `${provider}-${release.period}.csv`;
  const line = progressLine(`download ${name}`, err);
  try {
    const place = downloadPlace(downloadsDir(config.dataDir), name);
    const result = await download(
      { url: release.url, force },
      { get, place },
      (done, total, what) => line.show({ done, total, what }),
    );
    if (result.outcome !== 'absent') return { path: result.file.path };
    return { name, failure: `${release.url} is not published: ${result.why}` };
  } catch (error) {
    if (!(error instanceof Error) || !isExpected(error)) throw error;
    return { name, failure: error.message };
  } finally {
    line.end();
  }
}

/** Whether the server failed or refused; other errors are bugs. */
function isExpected(error: Error): boolean {
  return isFinal(error) || error.name === 'SourceOutageError';
}
