import { writeFile } from 'node:fs/promises';
import { accuracyOf, recordAccuracy, type RecordAccuracy } from '../../models/record-accuracy.ts';
import type { RecordMonth } from '../../pipelines/model/record-accuracy.ts';
import type { AccuracyReport, PipelineSteps } from '../../pipelines/types.ts';
import { readIfExists } from '../../warehouse/ground/files.ts';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import { writeAtomically } from '../../warehouse/ground/temporary.ts';
import { historyOf } from '../../warehouse/lake/history.ts';
import { readManifests, type MonthManifest } from '../../warehouse/lake/lake.ts';
import { listLakeProviders, providerPaths, type DataPaths } from '../../warehouse/paths.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { measureInChild, type MeasureRequest } from '../processes/train-in-child.ts';

/** Measures a record outside this process, without blocking it. */
export type RunMeasurement = (
  request: MeasureRequest,
  progress: Progress,
) => Promise<RecordAccuracy>;

/** The accuracy of a record. `inputs` is a hash of the measured months and of the code that measured them. */
type AccuracyFile = { inputs: string; accuracy: RecordAccuracy };

/**
 * Creates the step that measures the records of other providers. A record is measured again only after its months or
 * the code have changed.
 */
export function createRecordMeasurement(
  { paths, codeVersion }: { paths: DataPaths; codeVersion: string },
  runMeasurement: RunMeasurement = measureInChild,
): Pick<PipelineSteps, 'measureRecords'> {
  const measure = async (provider: string, progress: Progress) => {
    const own = providerPaths(paths, provider);
    const manifests = await readManifests(own.lakeDir);
    const inputs = sha256(JSON.stringify([historyOf(manifests).sha256, codeVersion]));
    if (manifests.length === 0 || (await readFile(own))?.inputs === inputs) return undefined;
    const request = { provider, lakeDir: own.lakeDir, periods: periodsOf(manifests) };
    const accuracy = recordAccuracy.parse(await runMeasurement(request, progress));
    const text = JSON.stringify({ inputs, accuracy } satisfies AccuracyFile);
    await writeAtomically(own.accuracyFile, (temporary) => writeFile(temporary, text));
    return accuracy;
  };
  return {
    measureRecords: async (progress) => {
      const report: Required<AccuracyReport> = { measured: {}, problems: {} };
      const providers = await listLakeProviders(paths.lakeDir);
      for (const [at, provider] of providers.entries()) {
        try {
          const accuracy = await measure(provider, progress);
          if (accuracy) {
            const { state, why } = accuracy;
            report.measured[provider] = { state, why };
          }
        } catch (error) {
          report.problems[provider] = error instanceof Error ? error.message : String(error);
        }
        progress(at + 1, providers.length, provider);
      }
      return dropEmpty(report);
    },
  };
}

/** Returns the newest measured accuracy of a record; undefined if it was never measured. */
export async function readAccuracy(
  paths: Pick<DataPaths, 'accuracyFile'>,
): Promise<RecordAccuracy | undefined> {
  return (await readFile(paths))?.accuracy;
}

/** Returns undefined for a missing or damaged file, because the next measurement writes it again. */
async function readFile({
  accuracyFile,
}: Pick<DataPaths, 'accuracyFile'>): Promise<AccuracyFile | undefined> {
  const text = await readIfExists(accuracyFile);
  try {
    const { inputs, accuracy } = JSON.parse(String(text)) as Partial<AccuracyFile>;
    const valid = accuracyOf(accuracy);
    return valid && inputs !== undefined ? { inputs, accuracy: valid } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the months and years of a record. If a record has only the counts of a whole year, the months of this year
 * are left out.
 */
function periodsOf(manifests: MonthManifest[]): RecordMonth[] {
  const years = new Set(
    manifests.flatMap(({ month, periodMonths }) => (periodMonths ? [month.slice(0, 4)] : [])),
  );
  return manifests.flatMap(({ month, periodMonths }): RecordMonth[] => {
    const year = month.slice(0, 4);
    if (periodMonths) return [{ month, from: `${year}-01-01` }];
    return years.has(year) ? [] : [{ month, from: `${month}-01` }];
  });
}

function dropEmpty({ measured, problems }: Required<AccuracyReport>): AccuracyReport {
  return {
    ...(Object.keys(measured).length > 0 && { measured }),
    ...(Object.keys(problems).length > 0 && { problems }),
  };
}
