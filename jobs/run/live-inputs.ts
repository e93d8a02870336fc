import type { WeatherReport } from '../../pipelines/weather/refresh.ts';
import type { CommandContext } from '../context.ts';
import { requestLive } from '../requests.ts';
import type { JobSession } from '../session.ts';

/**
 * Has forecasts and news fetched now instead of at the next scheduled time, and says once when forecasts cannot be had;
 * scores do not wait for them.
 */
export async function firstForecasts(context: CommandContext, session: JobSession): Promise<void> {
  const { config, err } = context;
  if (config.offline) return;
  try {
    await requestLive(session.queues, 'refresh-news');
    const job = await requestLive(session.queues, 'refresh-weather');
    const { problems } = await session.follow<WeatherReport>(job, 'weather');
    if (problems.length > 0) err.write(`Weather is incomplete: ${problems.join('; ')}\n`);
  } catch (error) {
    if (session.signal.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    err.write(`No weather forecasts for now (${why}): scores use typical weather\n`);
  }
}
