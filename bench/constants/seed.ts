import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SEED_DIR, seedFilesIn } from '../../jobs/cli/program/arguments.ts';
import { flightOddsRows } from '../../pipelines/features/flight-odds.ts';
import { extractFile } from '../../pipelines/flights/ingest.ts';
import { findModel } from '../../pipelines/model/released-model.ts';
import { knowledgeAsOf } from '../../warehouse/build/as-of.ts';
import { createExtractDeps } from '../../warehouse/extract/extract.ts';
import { openStore } from '../../warehouse/store/open.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import { withFlightOdds } from '../../warehouse/store/pack.ts';

/** A day by which all months of the seed are published. */
const DAY = '2026-11-22';

/**
 * Returns three figures of the seed: the prior strength of an airline-route in flights, the number of airline-routes,
 * and the store's size.
 */
export async function seedFigures(): Promise<Record<string, number>> {
  const { store, modelBytes } = await buildSeedStore();
  const bytes = [...store.files.values()].reduce((sum, file) => sum + file.length, 0);
  return {
    priorFlights: openStore(store).network.priorFlights,
    airlineRoutes: store.manifest.tables.route_carriers?.rows ?? 0,
    storeBytes: bytes + modelBytes,
  };
}

/**
 * Builds the store of the seed in the same way as a first start. Returns the store and the size of the bundled model.
 */
export async function buildSeedStore(): Promise<{ store: StoreFiles; modelBytes: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwind-seed-'));
  try {
    const deps = createExtractDeps({ lakeDir: folder, codeVersion: 'constants' });
    for (const file of seedFilesIn(SEED_DIR)) {
      await extractFile({ path: file }, deps, () => undefined);
    }
    const { store: exported } = await knowledgeAsOf([folder], DAY);
    const { model } = await findModel(folder);
    const store = withFlightOdds(exported, await flightOddsRows(openStore(exported)));
    return { store, modelBytes: model?.bytes.length ?? 0 };
  } finally {
    await rm(folder, { recursive: true });
  }
}
