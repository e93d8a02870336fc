import type { HealthBody } from '../../../schemas/health.ts';

/** The data of `/status`. */
export type StatusData = {
  /** The answer of `/api/health`. */
  health: HealthBody;
  store: { version: string; built_at: string } | null;
  /** Version of the model in use. */
  model: string | null;
  /** When weather forecasts were last saved. */
  forecasts_at: string | null;
};
