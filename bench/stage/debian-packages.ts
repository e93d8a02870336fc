import { spawnSync } from 'node:child_process';

/** Installs Debian's packages as root, waiting up to five minutes for another who installs; what it prints goes to the terminal. */
export function installPackages(...names: string[]): void {
  const apt = ['-q', '-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends'];
  // No service is started by a package that is installed.
  const env = { ...process.env, RUNLEVEL: '1' };
  spawnSync('apt-get', [...apt, ...names], { stdio: 'inherit', env });
}
