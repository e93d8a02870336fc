import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../bench/stage/find-program.ts';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/headwind-tools', import.meta.url));
const DOWNLOAD_MS = 120_000;

/**
 * Returns the path of a program from a Debian package; undefined if it is unavailable. A missing program is unpacked
 * from its package into node_modules/.cache, which starts no service and needs no root.
 */
export function debianTool(name: string, from: string): string | undefined {
  const installed = findProgram(name);
  if (installed !== undefined) return installed;
  const unpacked = join(CACHE, from);
  const program = join(unpacked, 'usr/bin', name);
  if (existsSync(program)) return program;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'download-'));
  try {
    const options = { cwd: folder, timeout: DOWNLOAD_MS, stdio: 'pipe' } as const;
    execFileSync('apt-get', ['-q', 'download', from], options);
    const [file = ''] = readdirSync(folder).filter((entry) => entry.endsWith('.deb'));
    execFileSync('dpkg-deb', ['-x', file, 'whole'], options);
    renameSync(join(folder, 'whole'), unpacked);
    return program;
  } catch {
    // Another test may have unpacked the program meanwhile.
    return existsSync(program) ? program : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
