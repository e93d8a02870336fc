/**
 * `node run-synthetic.ts CHECKOUT WAREHOUSE [MONTHS]`: fills a warehouse file with made-up months, using the code of a
 * checkout. Without MONTHS, marks the newest month as just loaded. This script runs in a separate process, because a
 * process can load only one version of DuckDB.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as SyntheticMonths from '../synthetic-months.ts';

const [checkout = '', warehouseFile = '', months] = process.argv.slice(2);
const { href } = pathToFileURL(path.resolve(checkout, 'bench/synthetic-months.ts'));
const { touchNewestMonth, writeSyntheticMonths } = (await import(href)) as typeof SyntheticMonths;
if (months === undefined) await touchNewestMonth(warehouseFile);
else await writeSyntheticMonths(warehouseFile, Number(months));
