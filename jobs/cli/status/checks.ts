import { count, countOf } from '../tables.ts';
import { formatAge } from '../../../warehouse/ground/duration.ts';
import type { CheckStatus, Status } from './types.ts';

/** Formats the failing checks of the last build; checks that got worse come first. */
export function checksText({ build, at }: Status): string {
  if (build === undefined) return 'Checks   not run yet; make features runs them';
  if (build.outcome === 'failed') {
    return `Checks   not run, because the last build failed ${formatAge(build.at, at)}`;
  }
  const failing = build.checks.filter(({ failures }) => failures > 0);
  const countSeverity = (severity: 'error' | 'warn') =>
    failing.filter((check) => check.severity === severity).length;
  const passed = build.checks.length - failing.length;
  const counts = `${passed} passed, ${countSeverity('warn')} warnings, ${countSeverity('error')} failed`;
  const lines = failing
    .toSorted((a, b) => Number(isWorse(b)) - Number(isWorse(a)))
    .map(
      (result) =>
        `         ${result.severity === 'error' ? 'failed ' : 'warning'} ${result.check}: ${result.problem ?? `${countOf(result.failures, 'row')} found`}${trendText(result)}`,
    );
  const verdict = countSeverity('error') > 0 ? '; nothing is published until they pass' : '';
  return [`Checks   ${counts}, ${formatAge(build.at, at)}${verdict}`, ...lines].join('\n');
}

function isWorse({ failures, failuresBefore }: CheckStatus): boolean {
  return failuresBefore !== undefined && failures > failuresBefore;
}

function trendText(result: CheckStatus): string {
  const { failures, failuresBefore } = result;
  if (failuresBefore === undefined || failuresBefore === failures) return '';
  return `, ${isWorse(result) ? 'worse' : 'better'}: ${count(failuresBefore)} in the previous build`;
}
