import { buildModels } from '../../../warehouse/build/build.ts';
import { describeModels, describeTables } from '../../../warehouse/build/describe.ts';
import { migrate } from '../../../warehouse/build/migrate.ts';
import { makeViews } from '../../../warehouse/build/views.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { cataloguePage } from './page.ts';

/** The page of docs/catalogue.md as it is to be: of an empty warehouse with everything in it. */
export async function madeCatalogue(): Promise<string> {
  const db = await openDatabase({ threads: 1 });
  try {
    await migrate(db);
    await buildModels(db, () => undefined);
    await makeViews(db, '/nowhere');
    await describeTables(db);
    await describeModels(db);
    return await cataloguePage(db);
  } finally {
    db.close();
  }
}
