import { spawnSync } from 'node:child_process';

/**
 * Installs Debian packages as root. If another installation is running, waits up to five minutes until the other
 * installation ends. The output goes to the terminal.
 */
export function installPackages(...names: string[]): void {
  const apt = ['-q', '-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends'];
  // Keeps the packages from starting their services.
  const env = { ...process.env, RUNLEVEL: '1' };
  spawnSync('apt-get', [...apt, ...names], { stdio: 'inherit', env });
}
