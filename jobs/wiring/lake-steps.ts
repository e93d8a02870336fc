import type { PipelineSteps } from '../../pipelines/types.ts';
import type { Warehouse } from '../../warehouse/build/warehouse.ts';
import type { LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import { unitOf, weatherUnit } from '../../warehouse/lake/shared/units.ts';

type WithWarehouse = <T>(work: (warehouse: Warehouse) => Promise<T>) => Promise<T>;

/**
 * Wraps the steps for a shared lake. Each step first fetches the manifests and files that it reads. Any machine may run
 * any step. A build therefore first loads the months that other machines added, and a publish starts with a build.
 */
export function withLakeSync(
  steps: PipelineSteps,
  home: LakeHome,
  withWarehouse: WithWarehouse,
): PipelineSteps {
  if (home.place === undefined) return steps;
  const { refresh, fetch } = home;
  const syncAndBuild: PipelineSteps['buildFeatures'] = async (progress) => {
    await refresh();
    await withWarehouse((warehouse) => warehouse.catchUp(fetch));
    return steps.buildFeatures(progress);
  };
  return {
    ...steps,
    extractFile: async (request, progress) => {
      await refresh();
      return steps.extractFile(request, progress);
    },
    extractMonth: async (request, progress) => {
      await refresh();
      return steps.extractMonth(request, progress);
    },
    findMonths: async (progress) => {
      await refresh();
      return steps.findMonths(progress);
    },
    loadMonths: async (months, progress, provider) => {
      // The shared lake has only the American record, so other providers load from the local folder.
      if (provider !== undefined) return steps.loadMonths(months, progress, provider);
      await refresh();
      await fetch(months.map((month) => unitOf({ month, tree: 'flights' })));
      return steps.loadMonths(months, progress);
    },
    loadDelayCauses: async (months, progress) => {
      await refresh();
      await fetch(months.map((month) => unitOf({ month, tree: 'levels' })));
      return steps.loadDelayCauses(months, progress);
    },
    restoreMonth: async (request, progress) => {
      if (request.provider !== undefined) return steps.restoreMonth(request, progress);
      await home.fetchVersions(request);
      await fetch([unitOf(request)]);
      return steps.restoreMonth(request, progress);
    },
    dropMonth: async (ref, progress) => {
      if (ref.provider !== undefined) return steps.dropMonth(ref, progress);
      await refresh();
      await fetch([unitOf(ref)]);
      return steps.dropMonth(ref, progress);
    },
    buildFeatures: syncAndBuild,
    isTrainingDue: async () => {
      await refresh();
      return steps.isTrainingDue();
    },
    train: async (request, progress) => {
      await refresh();
      await fetch();
      return steps.train(request, progress);
    },
    publishStore: async (progress) => {
      await syncAndBuild(progress);
      return steps.publishStore(progress);
    },
    rebuildWarehouse: async (progress) => {
      await refresh();
      await fetch();
      return steps.rebuildWarehouse(progress);
    },
    extractWeatherMonth: async (request, progress) => {
      await refresh();
      return steps.extractWeatherMonth(request, progress);
    },
    loadWeatherMonth: async (ref) => {
      await refresh();
      await fetch([weatherUnit(ref)]);
      return steps.loadWeatherMonth(ref);
    },
  };
}
