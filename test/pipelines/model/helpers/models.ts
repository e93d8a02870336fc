import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import type { ModelCard } from '../../../../pipelines/model/model-folder.ts';
import { releaseModel } from '../../../../pipelines/model/released-model.ts';
import { someModel } from '../../../models/helpers/model.ts';

/** Creates an empty model folder, and a folder without a bundled model; removes both after the test. */
export async function modelFolders(
  t: ExecutionContext,
): Promise<{ modelsDir: string; bundledDir: string }> {
  const root = await mkdtemp(path.join(tmpdir(), 'headwind-models-'));
  t.teardown(() => rm(root, { recursive: true }));
  const bundledDir = path.join(root, 'bundled');
  await mkdir(bundledDir);
  return { modelsDir: path.join(root, 'models'), bundledDir };
}

/** The card of a model released on this day. */
export function aCard(day = '2026-01-01'): ModelCard {
  return { isReleased: true, why: 'released: it won', releasedAt: `${day}T00:00:00.000Z` };
}

/** Releases a model with a constant probability; returns its version. */
export async function releaseModelWith(
  modelsDir: string,
  probability: number,
  day?: string,
): Promise<string> {
  return releaseModel(modelsDir, { bytes: someModel({ probability }), card: aCard(day) });
}
