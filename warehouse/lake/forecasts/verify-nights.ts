import path from 'node:path';
import { CorruptFileError } from '../../errors.ts';
import { fileSha256 } from '../../ground/hashes.ts';
import { statIfExists } from '../../ground/files.ts';
import { isSameLink } from './append-night.ts';
import { linkOf, listNights, nightUnit, readHead, readNight, type Link } from './nights.ts';

/**
 * Verifies the chain of frozen forecasts: every byte of every night, the order of the nights, and that no night of the
 * chain is missing. `damaged` lists each damaged night with its problem. A complete night that the head does not name
 * yet is not a problem, because the next run adds it.
 */
export async function verifyNights(
  lakeDir: string,
): Promise<{ checked: number; bytes: number; damaged: string[] }> {
  const damaged: string[] = [];
  const linked = await readHead(lakeDir).catch((error: unknown) => {
    if (!(error instanceof CorruptFileError)) throw error;
    damaged.push('head: changed after it was written');
  });
  const folders = await listNights(lakeDir);
  const nights = new Set([...(linked?.nights ?? []).map(({ night }) => night), ...folders]);
  const links = new Map(linked?.nights.map((link) => [link.night, link]));
  let previous: Link | null | undefined = null;
  let bytes = 0;
  for (const night of [...nights].toSorted()) {
    const result = await verifyNight(lakeDir, night, { previous, link: links.get(night) });
    // Ignore a night that the head does not name and that does not follow the night before: it is not part of the
    // chain.
    if (result.problem === undefined || links.has(night)) previous = result.link;
    bytes += result.bytes;
    if (result.problem !== undefined) damaged.push(`${night}: ${result.problem}`);
  }
  // A killed process leaves at most one complete night that the head does not name.
  if (linked && nights.size > linked.nights.length + 1) {
    damaged.push(`head: names ${linked.nights.length} of ${nights.size} nights`);
  }
  const order = linked?.nights.map(({ night }) => night) ?? [];
  if (order.some((night, at) => at > 0 && night <= (order[at - 1] ?? ''))) {
    damaged.push('head: its nights are not in order');
  }
  return { checked: nights.size, bytes, damaged };
}

type NightResult = { link?: Link | null | undefined; bytes: number; problem?: string };

/**
 * Verifies a night. `previous` is the link of the night before. It is undefined if the night before is damaged; this
 * damage is then reported for the night before.
 */
async function verifyNight(
  lakeDir: string,
  night: string,
  { previous, link: expected }: { previous: Link | null | undefined; link: Link | undefined },
): Promise<NightResult> {
  const folder = path.join(lakeDir, nightUnit(night));
  const fallback = { ...(expected && { link: expected }), bytes: 0 };
  let manifest;
  try {
    manifest = await readNight(lakeDir, night);
  } catch (error) {
    if (!(error instanceof CorruptFileError)) throw error;
    return { ...fallback, problem: 'its manifest was changed' };
  }
  if (!manifest) {
    // An empty folder is not damage if the night is not part of the chain. A sync may leave such a folder.
    return expected ? { ...fallback, problem: 'missing' } : { ...fallback, link: previous };
  }
  const link = linkOf(manifest);
  const result = { link, bytes: manifest.file.bytes };
  if (manifest.night !== night) {
    return { ...result, problem: `has the forecasts of ${manifest.night}` };
  }
  if (expected && !isSameLink(link, expected)) {
    return { ...result, problem: 'its manifest is not the one that the head names' };
  }
  if (previous !== undefined && !isSameLink(manifest.previous, previous)) {
    return { ...result, problem: 'is not linked to the night before' };
  }
  const file = path.join(folder, manifest.file.name);
  const size = (await statIfExists(file))?.size;
  if (size === undefined) return { ...result, problem: 'its forecasts are missing' };
  const isSame = size === manifest.file.bytes && (await fileSha256(file)) === manifest.file.sha256;
  return isSame ? result : { ...result, problem: 'its forecasts were changed' };
}
