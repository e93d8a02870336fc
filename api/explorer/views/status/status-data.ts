import type { HealthBody } from '../../../schemas/health.ts';

/** What `/status` shows. */
export type StatusData = {
  /** As `/api/health` answers. */
  health: HealthBody;
  store: { version: string; built_at: string } | null;
  /** Version of the model in use. */
  model: string | null;
  /** When weather forecasts were saved last. */
  forecasts_at: string | null;
};
