import { buildModels } from '../../../warehouse/build/build.ts';
import { describeModels, describeTables } from '../../../warehouse/build/describe.ts';
import { migrate } from '../../../warehouse/build/migrate.ts';
import { createViews } from '../../../warehouse/build/views.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { cataloguePage } from './page.ts';

/** Returns the text of docs/catalogue.md, from an empty warehouse with all relations. */
export async function buildCatalogue(): Promise<string> {
  const db = await openDatabase({ threads: 1 });
  try {
    await migrate(db);
    await buildModels(db, () => undefined);
    await createViews(db, '/nowhere');
    await describeTables(db);
    await describeModels(db);
    return await cataloguePage(db);
  } finally {
    db.close();
  }
}
