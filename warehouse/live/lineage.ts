import type { Redis } from 'ioredis';
import { sha256 } from '../ground/sha256.ts';

/** A table, model or check, with its place in the picture. */
export type LineageNode = {
  /** `marts.network`, `checks.unique_keys`. */
  name: string;
  kind: 'source' | 'intermediate' | 'mart' | 'check';
  /** Whether the file is from `MODELS_DIR`. */
  isOwn: boolean;
  about: string;
  columns: { name: string; about: string }[];
  /** The nodes that its SQL reads. */
  reads: string[];
  /** Why a file of `MODELS_DIR` is not used. */
  problem?: string;
  /** Left upper corner, in pixels. */
  x: number;
  y: number;
};

/** The graph of all models and checks as a picture. All nodes have the same size. */
export type Lineage = {
  nodes: LineageNode[];
  /** SVG paths, from the node that is read to the node that reads it. */
  edges: { from: string; to: string; path: string }[];
  width: number;
  height: number;
  nodeWidth: number;
  nodeHeight: number;
};

/** Hash with the graph as JSON and the sha256 of this JSON. */
const LINEAGE_KEY = 'hw:ops:lineage';

/** Replaces the graph if it has changed. The graph is large, so an equal graph is not written again. */
export async function writeLineage(
  redis: Pick<Redis, 'hget' | 'hset'>,
  lineage: Lineage,
): Promise<void> {
  const graph = JSON.stringify(lineage);
  const hash = sha256(graph);
  if ((await redis.hget(LINEAGE_KEY, 'sha256')) === hash) return;
  await redis.hset(LINEAGE_KEY, { graph, sha256: hash });
}

/** Reads the graph; undefined if no worker has written one. */
export async function readLineage(redis: Pick<Redis, 'hget'>): Promise<Lineage | undefined> {
  const graph = await redis.hget(LINEAGE_KEY, 'graph');
  return graph === null ? undefined : (JSON.parse(graph) as Lineage);
}
