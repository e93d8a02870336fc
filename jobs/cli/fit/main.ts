/**
 * `npm run fit -- weather|outcomes|seasons|connections|connections-test|inbound|scales|age|holidays|holiday-evidence|brand-evidence|brand-answers|airports|late-shares [--write]
 * [folder of the public data]`: computes the parameters, tables and pictures that ship with the code, and tests connections and brands.
 * `weather`, `outcomes`, `seasons`, `connections`, `inbound`, `scales`, `age` and `late-shares` write files only with `--write`.
 */
import { parseArgs } from 'node:util';
import { fitRecordAge } from './age-report.ts';
import { writeAirports } from './airports.ts';
import { compareBrandAnswers } from './brand-answers.ts';
import { writeBrandEvidence } from './brand-evidence.ts';
import { testConnections } from './connections-test.ts';
import { fitConnections } from './connections.ts';
import { writeHolidayEvidence } from './holiday-evidence.ts';
import { writeHolidays } from './holidays.ts';
import { fitInbound } from './inbound.ts';
import { fitLateSeasons } from './late-seasons.ts';
import { fitLateShares } from './late-shares.ts';
import { reportScales } from './score-report.ts';
import { fitOutcomes } from './outcomes.ts';
import { fitWeather } from './weather-report.ts';

const DATA_DIR = '../shared/data';

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const [target = '', dataDir = DATA_DIR] = positionals;

switch (target) {
  case 'weather':
    await fitWeather(dataDir, flags.write);
    break;
  case 'outcomes':
    await fitOutcomes(dataDir, flags.write);
    break;
  case 'seasons':
    await fitLateSeasons(dataDir, flags.write);
    break;
  case 'connections':
    await fitConnections(dataDir, flags.write);
    break;
  case 'inbound':
    await fitInbound(dataDir, flags.write);
    break;
  case 'connections-test':
    await testConnections(dataDir);
    break;
  case 'scales':
    await reportScales(flags.write);
    break;
  case 'age':
    await fitRecordAge(flags.write);
    break;
  case 'holidays':
    await writeHolidays();
    break;
  case 'holiday-evidence':
    await writeHolidayEvidence(dataDir);
    break;
  case 'brand-evidence':
    await writeBrandEvidence(dataDir);
    break;
  case 'brand-answers':
    await compareBrandAnswers(dataDir);
    break;
  case 'airports':
    await writeAirports();
    break;
  case 'late-shares':
    await fitLateShares(dataDir, flags.write);
    break;
  default:
    console.error(
      `Unknown target "${target}": use weather, outcomes, seasons, connections, connections-test, inbound, scales, age, holidays, holiday-evidence, brand-evidence, brand-answers, airports or late-shares.`,
    );
    process.exitCode = 2;
}
