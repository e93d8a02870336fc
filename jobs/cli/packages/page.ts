import { INSTALL_SCRIPTS, directPackages, licenceCounts, type Lock } from './packages.ts';

/** docs/packages.md: what the service runs on that is not its own. */
export function packagesPage(lock: Lock): string {
  const direct = directPackages(lock);
  const licences = licenceCounts(lock).map(([licence, count]) => `${licence} ${count}`);
  const scripts = Object.entries(INSTALL_SCRIPTS).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return `# Packages

<!-- Written by \`npm run docs:packages\`. -->

What the service runs on that is not its own, beside Redis, libxgboost and what Debian brings. Versions are pinned in \`package-lock.json\`; a test
fails on a licence or an install script that nobody has read. \`make sbom\` writes the bill of materials (CycloneDX) of what is installed for
the service.

| package | licence | comes with it alone | for |
|---|---|---|---|
${direct.map(({ name, licence, purpose, own }) => `| \`${name}\` | ${licence} | ${own} | ${purpose} |`).join('\n')}

"Comes with it alone": packages that no other of the table needs. Licences of all packages, those for other systems too: ${licences.join(', ')}.

## Install scripts

A package may run code when it is installed. npm runs what \`allowScripts\` of package.json allows, and no other:

| package | runs | what its script does |
|---|---|---|
${scripts.map(([name, { runs, why }]) => `| \`${name}\` | ${runs ? 'yes' : 'no'} | ${why} |`).join('\n')}
`;
}
