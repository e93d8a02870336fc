import purposes from './purposes.json' with { type: 'json' };

/** A package of `package-lock.json`, under the path it is installed at. */
type Locked = {
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

export type Lock = { packages: Record<string, Locked> };

/** A package that the code asks for by name. */
export type Direct = {
  name: string;
  licence: string;
  purpose: string;
  /** Packages that come through it and through no other. */
  own: number;
};

/** Licences that ask for no more than to be named, and those of data and typefaces that we give credit for. */
const KNOWN_LICENCES: readonly string[] = [
  ...['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'],
  ...['Unlicense', 'PSF-2.0', 'Python-2.0', '(MIT OR CC0-1.0)', '(MIT OR Apache-2.0)'],
  ...['(MIT AND Zlib)', '(ISC AND CC-BY-3.0)', 'CC BY 4.0', 'OFL-1.1'],
];

/** By package: a licence that its file says in another way, or that only tools of ours have. */
const READ_BY_US: Record<string, string> = {
  reserved: 'MIT',
  'axe-core': 'MPL-2.0',
};

/** By package: what its install script does, and why it runs or not. `allowScripts` of package.json says the same to npm. */
export const INSTALL_SCRIPTS: Record<string, { runs: boolean; why: string }> = {
  node: { runs: true, why: 'puts the Node that came as a package of this system in its place' },
  '@scarf/scarf': { runs: false, why: 'reports the installation to a company; nothing needs it' },
  esbuild: {
    runs: false,
    why: 'puts the program in place of a script that starts it: a little faster',
  },
  koffi: { runs: false, why: 'builds from source where no package has it built; ours has' },
  'msgpackr-extract': {
    runs: false,
    why: 'builds a faster reader of strings; BullMQ does without',
  },
  'onnxruntime-node': {
    runs: false,
    why: 'downloads files for graphics cards; only tests use the package',
  },
};

/** The packages `package.json` names for the service, by name. */
export function directPackages({ packages }: Lock): Direct[] {
  const names = Object.keys(packages['']?.dependencies ?? {}).toSorted();
  const reached = new Map(names.map((name) => [name, closure(packages, `node_modules/${name}`)]));
  return names.map((name) => {
    const others = new Set(
      names.flatMap((other) => (other === name ? [] : [...(reached.get(other) ?? [])])),
    );
    const through = [...(reached.get(name) ?? [])].filter((path) => !others.has(path));
    const licence = licenceOf(`node_modules/${name}`, packages) ?? '';
    const purpose = (purposes as Record<string, string>)[name] ?? '';
    const own = through.filter((path) => path !== `node_modules/${name}`).length;
    return { name, licence, purpose, own };
  });
}

/** How many packages the service has of each licence, most first; those for other systems count as well. */
export function licenceCounts({ packages }: Lock): [licence: string, count: number][] {
  const counts = new Map<string, number>();
  for (const [path, { dev }] of Object.entries(packages)) {
    if (path === '' || dev === true) continue;
    const licence = licenceOf(path, packages) ?? 'none';
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
  }
  return [...counts].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
}

/** What a person has to look at before it ships: licences and install scripts that nobody has read. */
export function unreviewed(lock: Lock, allowScripts: Record<string, boolean>): string[] {
  return Object.entries(lock.packages).flatMap(([path, { hasInstallScript, dev }]) => {
    if (path === '') return [];
    const name = nameOf(path);
    const licence = licenceOf(path, lock.packages) ?? 'none';
    const isTool = dev === true && READ_BY_US[name] === licence;
    const isKnown = KNOWN_LICENCES.includes(licence) || isTool;
    const runs = INSTALL_SCRIPTS[name]?.runs;
    return [
      ...(isKnown ? [] : [`${name}: licence ${licence}`]),
      ...(hasInstallScript === true && runs === undefined ? [`${name}: install script`] : []),
      ...(hasInstallScript === true && runs !== undefined && allowScripts[name] !== runs
        ? [`${name}: allowScripts of package.json says otherwise than INSTALL_SCRIPTS`]
        : []),
    ];
  });
}

/** Optional packages that the lock names but has no entry for; `npm ci` refuses a lock with any. */
export function notLocked({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => resolved(packages, path, name) === undefined)
      .map((name) => `${name} of ${path}`),
  );
}

function licenceOf(path: string, packages: Lock['packages']): string | undefined {
  return READ_BY_US[nameOf(path)] ?? packages[path]?.license;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** All that is installed because of that package, itself too; not what is for another system. */
function closure(packages: Lock['packages'], root: string): Set<string> {
  const found = new Set<string>();
  const open = [root];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const one = packages[path];
    if (!one || found.has(path) || !isForServers(one)) continue;
    found.add(path);
    const peers = Object.keys(one.peerDependencies ?? {});
    const needed = [
      ...Object.keys({ ...one.dependencies, ...one.optionalDependencies }),
      ...peers.filter((name) => one.peerDependenciesMeta?.[name]?.optional !== true),
    ];
    for (const name of needed) {
      const at = resolved(packages, path, name);
      if (at !== undefined) open.push(at);
    }
  }
  return found;
}

/** Whether it is installed where most servers are: Linux on x64. */
function isForServers({ cpu, os }: Locked): boolean {
  return (cpu?.includes('x64') ?? true) && (os?.includes('linux') ?? true);
}

/** Where a package finds another, as Node looks for it: below itself, then below each that it is in. */
function resolved(packages: Lock['packages'], from: string, name: string): string | undefined {
  const inside = from.split('/node_modules/');
  return inside
    .map(
      (_, at) =>
        `${inside.slice(0, inside.length - at).join('/node_modules/')}/node_modules/${name}`,
    )
    .concat(`node_modules/${name}`)
    .find((path) => path in packages);
}
