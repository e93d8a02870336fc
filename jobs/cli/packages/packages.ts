import purposes from './purposes.json' with { type: 'json' };

/** An entry of `package-lock.json`. */
type LockedPackage = {
  version?: string;
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  cpu?: string[];
  os?: string[];
};

/** `package-lock.json`: entries by installation path. */
export type Lock = { packages: Record<string, LockedPackage> };

/** A package that `package.json` names. */
export type DirectPackage = {
  name: string;
  licence: string;
  purpose: string;
  /** Number of packages that only this package needs. */
  dependencyCount: number;
};

/** Licences that require only attribution. This includes licences of data and typefaces, whose authors we name. */
const KNOWN_LICENCES: readonly string[] = [
  ...['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'],
  ...['Unlicense', 'PSF-2.0', 'Python-2.0', '(MIT OR CC0-1.0)', '(MIT OR Apache-2.0)'],
  ...['(MIT AND Zlib)', '(ISC AND CC-BY-3.0)', 'CC BY 4.0', 'OFL-1.1'],
];

/** Licences reviewed by hand: the package states its licence in another form, or is only a development tool. */
const REVIEWED_LICENCES: Record<string, string> = {
  reserved: 'MIT',
  'axe-core': 'MPL-2.0',
};

/** Packages that we use unchanged. The MPL-2.0 has conditions only for changes to the package's own files. */
const USED_UNCHANGED = /^@resvg\/resvg-js(-|$)/;

/** Effects of install scripts, and whether the scripts run. `allowScripts` in package.json must agree. */
export const INSTALL_SCRIPTS: Record<string, { runs: boolean; why: string }> = {
  node: { runs: true, why: 'links the Node binary that another package provides for this system' },
  '@scarf/scarf': { runs: false, why: 'reports the installation to a company; not needed' },
  esbuild: {
    runs: false,
    why: 'replaces the start script with the program itself, which starts a little faster',
  },
  koffi: {
    runs: false,
    why: 'builds from source on systems without a prebuilt package; not needed here',
  },
  'msgpackr-extract': {
    runs: false,
    why: 'builds a faster string decoder; BullMQ works without it',
  },
  'onnxruntime-node': {
    runs: false,
    why: 'downloads GPU libraries; the libraries for processors are in the package',
  },
};

/** Returns the packages that `package.json` names for the service, sorted by name. */
export function directPackages({ packages }: Lock): DirectPackage[] {
  const names = Object.keys(packages['']?.dependencies ?? {}).toSorted();
  const closures = new Map(names.map((name) => [name, closure(packages, `node_modules/${name}`)]));
  return names.map((name) => {
    const otherPaths = new Set(
      names.flatMap((other) => (other === name ? [] : [...(closures.get(other) ?? [])])),
    );
    const exclusive = [...(closures.get(name) ?? [])].filter((path) => !otherPaths.has(path));
    const licence = licenceOf(`node_modules/${name}`, packages) ?? '';
    const purpose = (purposes as Record<string, string>)[name] ?? '';
    const dependencyCount = exclusive.filter((path) => path !== `node_modules/${name}`).length;
    return { name, licence, purpose, dependencyCount };
  });
}

/** Counts the packages of the service by licence, most frequent first. Packages for other systems count too. */
export function licenceCounts({ packages }: Lock): [licence: string, count: number][] {
  const counts = new Map<string, number>();
  for (const [path, { dev }] of Object.entries(packages)) {
    if (path === '' || dev === true) continue;
    const licence = licenceOf(path, packages) ?? 'none';
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
  }
  return [...counts].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
}

/** Lists the licences and install scripts that a person must review before a release. */
export function listUnreviewed(lock: Lock, allowScripts: Record<string, boolean>): string[] {
  return Object.entries(lock.packages).flatMap(([path, { hasInstallScript, dev }]) => {
    if (path === '') return [];
    const name = packageName(path);
    const licence = licenceOf(path, lock.packages) ?? 'none';
    const isTool = dev === true && REVIEWED_LICENCES[name] === licence;
    const isUnchanged = licence === 'MPL-2.0' && USED_UNCHANGED.test(name);
    const isKnown = KNOWN_LICENCES.includes(licence) || isTool || isUnchanged;
    const runs = INSTALL_SCRIPTS[name]?.runs;
    return [
      ...(isKnown ? [] : [`${name}: licence ${licence}`]),
      ...(hasInstallScript === true && runs === undefined ? [`${name}: install script`] : []),
      ...(hasInstallScript === true && runs !== undefined && allowScripts[name] !== runs
        ? [`${name}: allowScripts in package.json contradicts INSTALL_SCRIPTS`]
        : []),
    ];
  });
}

/**
 * Lists optional packages that other packages in the lock file depend on, but that have no entry of their own. `npm ci`
 * refuses a lock file with such gaps.
 */
export function listMissingFromLock({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => resolvePackage(packages, path, name) === undefined)
      .map((name) => `${name} of ${path}`),
  );
}

function licenceOf(path: string, packages: Lock['packages']): string | undefined {
  return REVIEWED_LICENCES[packageName(path)] ?? packages[path]?.license;
}

function packageName(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Returns a package and all its direct and indirect dependencies, except packages for other systems. */
function closure(packages: Lock['packages'], root: string): Set<string> {
  const visited = new Set<string>();
  const pending = [root];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const entry = packages[path];
    if (!entry || visited.has(path) || !isForServers(entry)) continue;
    visited.add(path);
    const peers = Object.keys(entry.peerDependencies ?? {});
    const needed = [
      ...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
      ...peers.filter((name) => entry.peerDependenciesMeta?.[name]?.optional !== true),
    ];
    for (const name of needed) {
      const at = resolvePackage(packages, path, name);
      if (at !== undefined) pending.push(at);
    }
  }
  return visited;
}

/** Whether the package is installed on Linux x64, the system of most servers. */
function isForServers({ cpu, os }: LockedPackage): boolean {
  return (cpu?.includes('x64') ?? true) && (os?.includes('linux') ?? true);
}

/**
 * Resolves a package from another package like Node: in its own node_modules, then in the node_modules of each
 * package that contains it.
 */
function resolvePackage(
  packages: Lock['packages'],
  from: string,
  name: string,
): string | undefined {
  const ancestors = from.split('/node_modules/');
  return ancestors
    .map(
      (_, at) =>
        `${ancestors.slice(0, ancestors.length - at).join('/node_modules/')}/node_modules/${name}`,
    )
    .concat(`node_modules/${name}`)
    .find((path) => path in packages);
}
