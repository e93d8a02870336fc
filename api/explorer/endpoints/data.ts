import type { Snapshot } from '../../../warehouse/snapshots/snapshots.ts';
import type { Endpoint } from '../endpoint.ts';
import {
  fileAddress,
  type DataPageData,
  type OfferedSnapshot,
} from '../views/snapshots/snapshot-data.ts';

/** Data of `/data`: the snapshots that can be downloaded, newest first. */
export const dataEndpoint: Endpoint = {
  path: '/explorer/data',
  restsOn: 'now',
  answer: async (_query, { snapshots }): Promise<DataPageData> => ({
    snapshots: (await snapshots()).map(offeredOf),
  }),
};

function offeredOf({ manifest, files, damaged }: Snapshot): OfferedSnapshot {
  const { version, month, rows, columns, providers } = manifest;
  return {
    ...{ version, month, rows, columns, providers, damaged },
    created_at: manifest.createdAt,
    store_version: manifest.storeVersion,
    model_version: manifest.modelVersion,
    left_out: manifest.leftOut,
    files: files.map((file) => ({ ...file, address: fileAddress(version, file.name) })),
  };
}
