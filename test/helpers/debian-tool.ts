import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedAt } from './installed-at.ts';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/headwind-tools', import.meta.url));
const DOWNLOAD_MS = 120_000;

/**
 * The path of a program of a Debian package; undefined where it can be had in no way. One that is not installed is taken out
 * of its package, which starts no service and needs no root, and kept beside the packages of npm.
 */
export function debianTool(name: string, from: string): string | undefined {
  const installed = installedAt(name);
  if (installed !== undefined) return installed;
  const unpacked = join(CACHE, from);
  const program = join(unpacked, 'usr/bin', name);
  if (existsSync(program)) return program;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'download-'));
  try {
    const options = { cwd: folder, timeout: DOWNLOAD_MS, stdio: 'pipe' } as const;
    execFileSync('apt-get', ['-q', 'download', from], options);
    const [file = ''] = readdirSync(folder).filter((one) => one.endsWith('.deb'));
    execFileSync('dpkg-deb', ['-x', file, 'whole'], options);
    renameSync(join(folder, 'whole'), unpacked);
    return program;
  } catch {
    // Another test may have been quicker.
    return existsSync(program) ? program : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
