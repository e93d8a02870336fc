import { z } from 'zod';
import { logit } from '../../warehouse/ground/log-odds.ts';
import type { Tree, TreeEnsemble } from './blocks.ts';

/** The model uses a part of XGBoost that is not supported. */
export class UnsupportedModelError extends Error {
  readonly isFinal = true;
  override readonly name = 'UnsupportedModelError';
}

const treeJson = z.object({
  left_children: z.array(z.int()),
  right_children: z.array(z.int()),
  split_indices: z.array(z.int().min(0)),
  // The threshold of each split, or the value of each leaf.
  split_conditions: z.array(z.number()),
  default_left: z.array(z.union([z.boolean(), z.literal([0, 1])])),
  categories_nodes: z.array(z.int()).max(0, 'splits on categories'),
});

const modelJson = z.object({
  learner: z.object({
    learner_model_param: z.object({
      base_score: z.string(),
      num_feature: z.string(),
    }),
    objective: z.object({ name: z.literal('binary:logistic') }),
    gradient_booster: z.object({
      name: z.literal('gbtree'),
      model: z.object({ trees: z.array(treeJson) }),
    }),
  }),
});

/**
 * Reads the trees of a model that XGBoost saved as JSON. If `rounds` is given, reads only the first `rounds` trees. The
 * sum of the trees is the log-odds of delay. Throws `UnsupportedModelError` unless the model is `binary:logistic` with
 * plain trees over `featureCount` features.
 */
export function treesOfXgboost(json: string, featureCount: number, rounds?: number): TreeEnsemble {
  const result = modelJson.safeParse(JSON.parse(json));
  if (!result.success) {
    throw new UnsupportedModelError(z.prettifyError(result.error), { cause: result.error });
  }
  const { learner_model_param: param, gradient_booster } = result.data.learner;
  if (Number(param.num_feature) !== featureCount) {
    throw new UnsupportedModelError(
      `the model has ${param.num_feature} features, expected ${featureCount}`,
    );
  }
  const trees = gradient_booster.model.trees.slice(0, rounds).map((tree) => treeOf(tree));
  return { trees, base: logit(Number(param.base_score)) };
}

function treeOf(tree: z.infer<typeof treeJson>): Tree {
  return {
    left: tree.left_children,
    right: tree.right_children,
    feature: tree.split_indices,
    value: Float32Array.from(tree.split_conditions),
    missingLeft: tree.default_left.map(Boolean),
  };
}
