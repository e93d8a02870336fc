import { mkdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isZone, UTC } from '../../../pipelines/weather/file-zone.ts';
import type { WeatherSource } from '../../../pipelines/weather/types.ts';
import type { JobsConfig } from '../../config.ts';
import { isBaseUrl } from '../../settings/kinds.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { withJobs } from '../session.ts';
import { followBackfill, parseMonthRange } from './backfill.ts';
import { backfillSummary } from './backfill-summary.ts';

/** Options as typed on the command line. */
export type BackfillWeatherOptions = {
  from?: string;
  to?: string;
  source?: string;
  zone?: string;
  force?: boolean;
};

const EXAMPLE = 'Example: make backfill-weather FROM=2025-01 TO=2025-12';

/** Loads past weather for a range of months and prints a table. Returns 1 if a month failed. */
export async function backfillWeather(
  context: CommandContext,
  options: BackfillWeatherOptions,
): Promise<number> {
  const months = parseMonthRange(options, EXAMPLE);
  const source = await sourceOf(options, context.config);
  const request = { kind: 'weather' as const, months, source, force: options.force === true };
  await mkdir(context.config.dataDir, { recursive: true });
  const ends = await withJobs(context, 'backfill-weather', (session) =>
    followBackfill(context, session, request),
  );
  context.out.write(backfillSummary(ends));
  return ends.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

/**
 * Resolves SOURCE to an address or an absolute path of a file. Without SOURCE, returns the weather archive of the
 * settings.
 */
async function sourceOf(
  { source, zone }: BackfillWeatherOptions,
  config: JobsConfig,
): Promise<WeatherSource> {
  const text = source || config.weatherArchiveUrl;
  if (zone && !isZone(zone)) {
    throw new CommandError(
      `ZONE=${zone} is not a time zone. Use UTC, local (each airport's own), a name such as America/New_York, or an offset such as -05:00`,
    );
  }
  if (isBaseUrl(text)) {
    if (zone) {
      throw new CommandError(
        'ZONE= works only with a file as SOURCE=; the weather archive uses UTC',
      );
    }
    if (!config.offline) return { kind: 'url', base: text };
    throw new CommandError(
      `OFFLINE=1 is set, so nothing is downloaded. To load a file: ${EXAMPLE.slice(9)} SOURCE=file`,
    );
  }
  const path = resolve(text);
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true;
  if (!isFile) throw new CommandError(`SOURCE=${path} is neither an http(s):// address nor a file`);
  return { kind: 'file', path, ...(zone && zone !== UTC && { zone }) };
}
