import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A file in a zip, with fields that can be wrong. */
export type ZipEntry = {
  name: string;
  content: string | Uint8Array;
  /**
   * Compression method: 0 is stored, 8 is deflated (the default). With other numbers the content is stored unchanged.
   */
  method?: number;
  crc?: number;
  /** Declared size of the content. */
  size?: number;
  flags?: number;
  /** Whether the content is already deflated. */
  isPacked?: boolean;
};

/** Builds a zip byte by byte; sizes of 4 GB and more use zip64. */
export function aZip(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content);
    const method = entry.method ?? 8;
    const compressed = method === 8 && !entry.isPacked ? deflateRawSync(content) : content;
    const size = entry.size ?? content.length;
    const name = Buffer.from(entry.name);
    const isLarge = size > 0xfffffffe;
    const extra = isLarge ? zip64Extra(size) : Buffer.alloc(0);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(entry.flags ?? 0, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(entry.crc ?? crc32(content), 10);
    common.writeUInt32LE(compressed.length, 14);
    common.writeUInt32LE(isLarge ? 0xffffffff : size, 18);
    common.writeUInt16LE(name.length, 22);
    common.writeUInt16LE(extra.length, 24);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, extra, compressed]);
    const localOffset = Buffer.alloc(14);
    localOffset.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), common, localOffset, name, extra]),
    );
    parts.push(local);
    offset += local.length;
  }
  return Buffer.concat([...parts, ...directory, directoryEnd(directory, offset)]);
}

/** Returns a deflated stream of `gigabytes` of zeros, without having them in memory. */
export function deflatedZeros(gigabytes: number): Buffer {
  const block = Buffer.alloc(16 * 1024 * 1024);
  // A full flush ends at a byte boundary and resets the state, so that the same bytes can be repeated.
  const packed = deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH });
  const copies = Array.from({ length: gigabytes * 64 }, () => packed);
  return Buffer.concat([...copies, deflateRawSync('')]);
}

function zip64Extra(size: number): Buffer {
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(size), 4);
  return extra;
}

function directoryEnd(directory: Buffer[], offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
