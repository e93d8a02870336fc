import { count } from '../tables.ts';
import { ago } from '../../../warehouse/ground/ago.ts';
import type { CheckStatus, Status } from './types.ts';

/** What the checks of the last build found: what grows worse first, then what else they found. */
export function checksText({ build, at }: Status): string {
  if (build === undefined) return 'Checks   none yet: make features';
  if (build.outcome === 'failed') return `Checks   the build failed ${ago(build.at, at)}`;
  const found = build.checks.filter(({ failures }) => failures > 0);
  const of = (severity: 'error' | 'warn') =>
    found.filter((check) => check.severity === severity).length;
  const passed = build.checks.length - found.length;
  const counts = `${passed} passed, ${of('warn')} warnings, ${of('error')} failed`;
  const lines = found
    .toSorted((a, b) => Number(isWorse(b)) - Number(isWorse(a)))
    .map(
      (result) =>
        `         ${result.severity === 'error' ? 'failed ' : 'warning'} ${result.check}: ${count(result.failures)} rows found${trendText(result)}`,
    );
  const verdict = of('error') > 0 ? '; nothing is published until they pass' : '';
  return [`Checks   ${counts}, ${ago(build.at, at)}${verdict}`, ...lines].join('\n');
}

function isWorse({ failures, failuresBefore }: CheckStatus): boolean {
  return failuresBefore !== undefined && failures > failuresBefore;
}

function trendText(result: CheckStatus): string {
  const { failures, failuresBefore } = result;
  if (failuresBefore === undefined || failuresBefore === failures) return '';
  return `, ${isWorse(result) ? 'worse' : 'better'}: ${count(failuresBefore)} at the build before`;
}
