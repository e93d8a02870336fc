import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createStoreModels, type StoreModels } from '../scoring/store-models.ts';
import { openModelReports, type ModelReports } from './model-reports.ts';

/** Opens the models of the API, and reports to Redis while an imported model fails. */
export function openModels(
  { modelDeadlineMs }: Pick<Config, 'modelDeadlineMs'>,
  { redis, now, log }: { redis: Redis; now: () => Date; log: Logger },
): StoreModels {
  const models = createStoreModels(log, {
    ...(modelDeadlineMs !== undefined && { deadlineMs: modelDeadlineMs }),
    onChange: () => void reports.report(),
    now,
  });
  const reports: ModelReports = openModelReports({ redis, read: models.currentImported, now, log });
  return {
    ...models,
    close: async () => {
      reports.close();
      await models.close();
    },
  };
}
