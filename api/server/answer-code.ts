import packageFile from '../../package.json' with { type: 'json' };
import { loadOnce } from '../../warehouse/ground/load-once.ts';
import { hashCode } from '../../warehouse/ground/code-hash.ts';

/** The code that the content of an answer depends on. */
const ANSWER_PLACES = [
  'api/presenters',
  'api/routes',
  'api/schemas',
  'api/scoring',
  'models',
  'warehouse/reference',
  'warehouse/store',
];

/** Returns the version of the code that computes answers. Other code may compute other bytes from the same data. */
export const answerCodeVersion = loadOnce(
  async () => `${packageFile.version}+${await hashCode(ANSWER_PLACES)}`,
);
