import type { Redis } from 'ioredis';
import { sha256 } from '../ground/hashes.ts';

/** A table, model or check, with its position in the picture of the lineage. */
export type LineageNode = {
  /** `marts.network`, `checks.unique_keys`. */
  name: string;
  kind: 'source' | 'intermediate' | 'mart' | 'check';
  /** Whether the file is in the folder of the setting `MODELS_DIR`. */
  isOwn: boolean;
  about: string;
  columns: { name: string; about: string }[];
  /** Names of the nodes that the SQL reads. */
  reads: string[];
  /** The reason why a file in `MODELS_DIR` is not used. */
  problem?: string;
  /** Position of the upper left corner, in pixels. */
  x: number;
  y: number;
};

/** A picture of all models and checks, and of what they read. All nodes have the same size. */
export type Lineage = {
  nodes: LineageNode[];
  /** Lines as SVG paths. `to` is the node whose SQL reads `from`. */
  edges: { from: string; to: string; path: string }[];
  width: number;
  height: number;
  nodeWidth: number;
  nodeHeight: number;
};

/** Redis hash with two fields: the graph as JSON, and the sha256 of this JSON. */
const LINEAGE_KEY = 'hw:ops:lineage';

/** Writes the graph if it has changed. An unchanged graph is not written again, because it is large. */
export async function writeLineage(
  redis: Pick<Redis, 'hget' | 'hset'>,
  lineage: Lineage,
): Promise<void> {
  const graph = JSON.stringify(lineage);
  const hash = sha256(graph);
  if ((await redis.hget(LINEAGE_KEY, 'sha256')) === hash) return;
  await redis.hset(LINEAGE_KEY, { graph, sha256: hash });
}

/** Reads the graph; undefined if no worker has written it yet. */
export async function readLineage(redis: Pick<Redis, 'hget'>): Promise<Lineage | undefined> {
  const graph = await redis.hget(LINEAGE_KEY, 'graph');
  return graph === null ? undefined : (JSON.parse(graph) as Lineage);
}
