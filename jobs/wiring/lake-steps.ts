import type { PipelineSteps } from '../../pipelines/types.ts';
import type { Warehouse } from '../../warehouse/build/warehouse.ts';
import type { LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import { unitOf, weatherUnit } from '../../warehouse/lake/shared/units.ts';

type WithWarehouse = <T>(work: (warehouse: Warehouse) => Promise<T>) => Promise<T>;

/**
 * The steps on a lake that many machines share: each has what it reads of it at hand. Any machine may do any of them, so a
 * build first takes in what others brought, and a publish builds what this machine has not.
 */
export function stepsAtHand(
  steps: PipelineSteps,
  home: LakeHome,
  withWarehouse: WithWarehouse,
): PipelineSteps {
  if (home.place === undefined) return steps;
  const { refresh, fetch } = home;
  const built: PipelineSteps['buildFeatures'] = async (progress) => {
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
    loadMonths: async (months, progress) => {
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
      await home.fetchVersions(request);
      await fetch([unitOf(request)]);
      return steps.restoreMonth(request, progress);
    },
    dropMonth: async (ref, progress) => {
      await refresh();
      await fetch([unitOf(ref)]);
      return steps.dropMonth(ref, progress);
    },
    buildFeatures: built,
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
      await built(progress);
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
