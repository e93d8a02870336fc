import { findReleased, releaseModel } from '../../pipelines/model/released-model.ts';
import { importModel, type ImportReport } from '../../pipelines/model/import-model.ts';
import { storeModel } from '../../pipelines/model/model-folder.ts';
import {
  ROW_PARTS,
  writeModelRows,
  type ModelRowsReport,
} from '../../pipelines/model/model-rows.ts';
import { knowledgeAsOf, readOutcomes } from '../../warehouse/build/as-of.ts';
import { writeModelRowsFile } from '../../warehouse/build/model-rows-file.ts';
import type { Retention } from '../../warehouse/ground/retention.ts';
import { firstDay } from '../../warehouse/ground/dates.ts';
import { openStore } from '../../warehouse/store/open.ts';
import type { DataPaths } from '../../warehouse/paths.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { judgeInChild } from '../processes/train-in-child.ts';
import { readLakeHistory } from './training-steps.ts';

export type ImportFileRequest = {
  file: string;
  acceptsRegional: boolean;
  codeVersion: string;
  deadlineMs: number;
  /** Releases of our own models to keep. */
  retention: Retention;
};

/** Changes the model folder while holding its locks. */
export type ChangeModels = <T>(change: (modelsDir: string) => Promise<T>) => Promise<T>;

/** Judges a model in an ONNX file on the flights in the lake of a data folder. Stores the model in the model folder. */
export async function importModelFile(
  paths: DataPaths,
  request: ImportFileRequest,
  changeModels: ChangeModels,
  progress: Progress,
): Promise<ImportReport> {
  const { lakeDir, modelsDir } = paths;
  const { retention, ...judged } = request;
  const { months } = await readLakeHistory(paths);
  return importModel(
    {
      judge: (report) => judgeInChild({ ...judged, months, lakeDir, modelsDir }, report),
      release: (model) => changeModels((folder) => releaseModel(folder, model, retention)),
      store: (model) => changeModels((folder) => storeModel(folder, model)),
      now: () => new Date(),
    },
    progress,
  );
}

/** Writes a Parquet or CSV file with the rows that other tools need to train a model. */
export async function exportModelRows(paths: DataPaths, file: string): Promise<ModelRowsReport> {
  const { lakeDir, modelsDir } = paths;
  const { months } = await readLakeHistory(paths);
  return writeModelRows(months, {
    knowledgeAsOf: (day) => knowledgeAsOf([lakeDir], day),
    outcomesOf: (month) => readOutcomes(lakeDir, `${month}-01`, firstDay(month, 1)),
    openStore,
    released: async () => (await findReleased(modelsDir)).model,
    write: (columns) => writeModelRowsFile(file, columns, ROW_PARTS),
  });
}
