import packageFile from '../../package.json' with { type: 'json' };
import { loadOnce } from '../../warehouse/ground/load-once.ts';
import { hashCode } from '../../warehouse/ground/hashes.ts';

/** Folders with the code that computes answers. */
const ANSWER_PLACES = [
  'api/presenters',
  'api/routes',
  'api/schemas',
  'api/scoring',
  'models',
  'warehouse/reference',
  'warehouse/store',
];

/**
 * Returns the version of the code that computes answers. A different version may compute different answers from the
 * same data.
 */
export const answerCodeVersion = loadOnce(
  async () => `${packageFile.version}+${await hashCode(ANSWER_PLACES)}`,
);
