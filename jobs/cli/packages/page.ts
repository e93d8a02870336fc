import { INSTALL_SCRIPTS, directPackages, licenceCounts, type Lock } from './packages.ts';

/** Returns the text of docs/packages.md. */
export function packagesPage(lock: Lock): string {
  const direct = directPackages(lock);
  const licences = licenceCounts(lock).map(([licence, count]) => `${licence} ${count}`);
  const scripts = Object.entries(INSTALL_SCRIPTS).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return `# Packages

<!-- Written by \`npm run docs:packages\`. -->

The third-party npm packages of the service. Redis, libxgboost and Debian packages are not listed. \`package-lock.json\` pins the versions.
A test fails on a licence or an install script that nobody has reviewed. \`make sbom\` writes the bill of materials (CycloneDX) of the
packages that are installed for the service.

| package | licence | own dependencies | purpose |
|---|---|---|---|
${direct.map(({ name, licence, purpose, dependencyCount }) => `| \`${name}\` | ${licence} | ${dependencyCount} | ${purpose} |`).join('\n')}

Own dependencies are packages that no other package in the table needs. Licences of all packages, including those for other systems: ${licences.join(', ')}.

## Install scripts

A package may run code when it is installed. npm runs only the scripts that \`allowScripts\` in package.json allows:

| package | runs | effect of the script |
|---|---|---|
${scripts.map(([name, { runs, why }]) => `| \`${name}\` | ${runs ? 'yes' : 'no'} | ${why} |`).join('\n')}
`;
}
