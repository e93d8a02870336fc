/** `node run-train.ts LAKE DAY`: trains a model on the data that the lake had on a day, and prints time and memory. */
import { openXgboost } from '../models/train/xgboost.ts';
import { trainModel } from '../pipelines/model/train-model.ts';
import { knowledgeAsOf } from '../warehouse/build/as-of.ts';
import { measure } from './measured.ts';

const [lakeDir = '', day = ''] = process.argv.slice(2);

await measure(async () => {
  const { training } = await knowledgeAsOf([lakeDir], day);
  const settings = { seed: 1, codeVersion: 'bench', metrics: {} };
  trainModel(training, settings, openXgboost(), () => undefined);
});
