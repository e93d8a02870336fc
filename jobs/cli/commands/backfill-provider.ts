import { download } from '../../../pipelines/flights/download.ts';
import { downloadPlace } from '../../../pipelines/flights/download-place.ts';
import { isMonth, type Month } from '../../../pipelines/flights/months.ts';
import type { HttpGet } from '../../../pipelines/http-get.ts';
import type { Collector } from '../../../pipelines/providers/collector.ts';
import { PROVIDERS, SEARCHED_PROVIDERS } from '../../../pipelines/providers/index.ts';
import {
  createPageReader,
  releaseFileName,
  type Release,
  type ReleaseIndex,
} from '../../../pipelines/providers/releases.ts';
import { isFinal } from '../../../warehouse/errors.ts';
import { CommandError } from '../../errors.ts';
import { isBaseUrl } from '../../settings/kinds.ts';
import { downloadsDir } from '../../wiring/month-steps.ts';
import { folderOf } from '../../wiring/provider-search-steps.ts';
import type { CommandContext } from '../context.ts';
import { progressLine } from '../progress-line.ts';
import { withJobs } from '../session.ts';
import { table } from '../tables.ts';
import { parseMonthRange, type BackfillOptions } from './backfill.ts';
import { ingestFile } from './ingest.ts';
import { hasLoaded, hasProblem, ingestSummary, type FileResult } from './ingest-summary.ts';
import { publishNow } from './publish.ts';

const EXAMPLE = 'Example: make backfill PROVIDER=caa FROM=2018 TO=2025';

/** Dependencies of a provider's backfill. */
type Backfill = { name: string; options: BackfillOptions; months: Month[]; address: string };

/**
 * Fetches the files of another provider for a range of months or years, loads them one after another and prints a
 * table. If the provider publishes single days, first collects the days, and then loads the collected months. Loads
 * dropped and refused months too, because the operator requests them. Returns 1 if a file failed or a month was
 * refused.
 */
export async function backfillProvider(
  context: CommandContext,
  { provider: name, ...options }: BackfillOptions & { provider: string },
  get: HttpGet,
): Promise<number> {
  const provider = findProvider(name);
  const months = parseMonthRange(
    { ...toMonth('from', options.from, '01'), ...toMonth('to', options.to, '12') },
    EXAMPLE,
  );
  if (context.config.offline) {
    throw new CommandError(
      'OFFLINE=1 is set, so nothing is downloaded. To load a file: make ingest FILE=path',
    );
  }
  const own = context.config.providerUrls[name] ?? provider.source.address;
  const address = options.source?.replace(/\/+$/, '') || own;
  if (!isBaseUrl(address)) {
    throw new CommandError('SOURCE is not a plain http(s):// address');
  }
  const backfill = { name, options, months, address };
  return provider.collector
    ? collectDays(context, backfill, provider.collector, get)
    : downloadReleases(context, backfill, provider.source, get);
}

/** Collects all days that the provider has. Then loads the collected months that were requested. */
async function collectDays(
  context: CommandContext,
  { name, options, months, address }: Backfill,
  { collect, days }: Collector,
  get: HttpGet,
): Promise<number> {
  const { config, now, out } = context;
  if (options.dryRun === true) {
    out.write(`Plan     collect the last ${days} days from ${address}, then load their months\n`);
    return 0;
  }
  const line = progressLine(`collect ${name}`, context.err);
  const deps = { address, readPage: createPageReader(get), ...folderOf({ ...config, now }, name) };
  const { summary, files } = await explainFailure(() =>
    collect(deps, (done, total, what) => line.show({ done, total, what })),
  ).finally(line.end);
  out.write(`Collected ${summary}\n`);
  const requested = files.filter(({ period }) => months.includes(period));
  if (requested.length === 0) {
    throw new CommandError(
      `${name} has only the last ${days} days: ${files[0]?.period} to ${files.at(-1)?.period}. For earlier months, load files with make ingest FILE=path`,
    );
  }
  return loadFiles(
    context,
    options,
    requested.map(({ path }) => async () => ({ path })),
  );
}

async function downloadReleases(
  context: CommandContext,
  { name: provider, options, months, address }: Backfill,
  index: ReleaseIndex,
  get: HttpGet,
): Promise<number> {
  const releases = await explainFailure(() =>
    index.list(months, { address, readPage: createPageReader(get) }),
  );
  if (releases.length === 0) throw new CommandError(`${address} has no files for these months`);
  if (options.dryRun === true) {
    context.out.write(
      `${table(
        ['period', 'file'],
        releases.map(({ period, url }) => [period, url]),
      )}\n`,
    );
    return 0;
  }
  const { force } = options;
  return loadFiles(
    context,
    options,
    releases.map((release) => () => fetchRelease(context, { provider, release, force }, get)),
  );
}

/** The path of a file on this machine, or the reason why the file could not be fetched. */
type Fetched = { path: string } | { name: string; failure: string };

/** Fetches and loads files one after another, and prints a table. */
async function loadFiles(
  context: CommandContext,
  options: BackfillOptions,
  files: readonly (() => Promise<Fetched>)[],
): Promise<number> {
  return withJobs(context, 'backfill', async (session) => {
    const results: FileResult[] = [];
    for (const fetchFile of files) {
      const file = await fetchFile();
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

/**
 * Returns a provider with the place of its files. If the provider publishes single days, also returns the collector of
 * the days.
 */
function findProvider(
  name: string,
): { source: ReleaseIndex; collector?: undefined } | { source: Collector; collector: Collector } {
  const provider = PROVIDERS.find((one) => one.name === name);
  if (provider?.collector) return { source: provider.collector, collector: provider.collector };
  if (provider?.releases) return { source: provider.releases };
  const names = PROVIDER_NAMES.format(SEARCHED_PROVIDERS.map((one) => one.name));
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

/** Converts the error of an unreachable server or a changed page to a message for the operator. */
async function explainFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
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
): Promise<Fetched> {
  const name = releaseFileName(provider, release);
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
