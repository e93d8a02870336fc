/** `npm run fit -- weather|scales|holidays|airports [--write] [folder of the public data]`: fits or draws what ships; `--write` keeps it. */
import { parseArgs } from 'node:util';
import { airports } from './airports.ts';
import { holidays } from './holidays.ts';
import { scales } from './score-report.ts';
import { weather } from './weather-report.ts';

const DATA_DIR = '../shared/data';

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const [what = '', dataDir = DATA_DIR] = positionals;

switch (what) {
  case 'weather':
    await weather(dataDir, flags.write);
    break;
  case 'scales':
    await scales(flags.write);
    break;
  case 'holidays':
    await holidays();
    break;
  case 'airports':
    await airports();
    break;
  default:
    console.error(`"${what}" is not one of weather, scales, holidays, airports`);
    process.exitCode = 2;
}
