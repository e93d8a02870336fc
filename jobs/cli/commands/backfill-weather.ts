import { mkdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isZone, UTC } from '../../../pipelines/weather/file-zone.ts';
import type { WeatherSource } from '../../../pipelines/weather/types.ts';
import type { JobsConfig } from '../../config.ts';
import { isBaseUrl } from '../../settings/kinds.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { withJobs } from '../session.ts';
import { followBackfill, spanOf } from './backfill.ts';
import { backfillSummary } from './backfill-summary.ts';

/** As typed. */
export type BackfillWeatherOptions = {
  from?: string;
  to?: string;
  source?: string;
  zone?: string;
  force?: boolean;
};

const EXAMPLE = 'Example: make backfill-weather FROM=2025-01 TO=2025-12';

/** Brings the weather of a span of months from the archive, or from a file, and prints a table; 1 when a month failed. */
export async function backfillWeather(
  context: CommandContext,
  options: BackfillWeatherOptions,
): Promise<number> {
  const months = spanOf(options, EXAMPLE);
  const source = await sourceOf(options, context.config);
  const request = { kind: 'weather' as const, months, source, force: options.force === true };
  await mkdir(context.config.dataDir, { recursive: true });
  const ends = await withJobs(context, 'backfill-weather', (session) =>
    followBackfill(context, session, request),
  );
  context.out.write(backfillSummary(ends));
  return ends.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

/** A SOURCE that is an address, or a file, made absolute; without one, the archive. */
async function sourceOf(
  { source: given, zone }: BackfillWeatherOptions,
  config: JobsConfig,
): Promise<WeatherSource> {
  const text = given || config.weatherArchiveUrl;
  if (zone && !isZone(zone)) {
    throw new CommandError(
      `ZONE ${zone} is no time zone: ZONE=UTC, ZONE=local (each airport's own), ZONE=America/New_York, ZONE=-05:00`,
    );
  }
  if (isBaseUrl(text)) {
    if (zone) {
      throw new CommandError('ZONE= is for a SOURCE= that is a file; the archive tells UTC');
    }
    if (!config.offline) return { kind: 'url', base: text };
    throw new CommandError(
      `OFFLINE=1 is set, so nothing is downloaded. Observations in a file: ${EXAMPLE.slice(9)} SOURCE=file`,
    );
  }
  const path = resolve(text);
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true;
  if (!isFile) throw new CommandError(`SOURCE ${path} is neither an http(s):// address nor a file`);
  return { kind: 'file', path, ...(zone && zone !== UTC && { zone }) };
}
