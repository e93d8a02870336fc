import path from 'node:path';
import { z } from 'zod';
import type { ObjectsConfig } from '../../warehouse/objects/open.ts';

export type LakeConfig = Readonly<{
  /** The shared lake. If absent, the lake is the folder under DATA_DIR. */
  lake: ObjectsConfig | undefined;
}>;

/** The environment variables of the lake. */
export const LAKE_SETTINGS = {
  LAKE_URL: z
    .string()
    .refine((text) => lakePlace(text) !== undefined, {
      error: ({ input }) =>
        `LAKE_URL "${input}" is neither s3://bucket/prefix nor the absolute path of a folder`,
    })
    .optional(),
  S3_ENDPOINT: z
    .string()
    .refine(
      (text) => /^https?:\/\/[^/@\s]+\/?$/i.test(text) && URL.canParse(text),
      'S3_ENDPOINT is not an http:// or https:// address of a host',
    )
    .optional(),
  S3_REGION: z.string().default('us-east-1'),
  // Messages never contain these values: they are secrets.
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
};

type LakeSettings = {
  LAKE_URL?: string | undefined;
  S3_ENDPOINT?: string | undefined;
  S3_REGION: string;
  AWS_ACCESS_KEY_ID?: string | undefined;
  AWS_SECRET_ACCESS_KEY?: string | undefined;
  AWS_SESSION_TOKEN?: string | undefined;
};

/** Whether the settings contain the access key that a lake in a bucket needs. */
export function hasLakeKey({
  LAKE_URL,
  AWS_ACCESS_KEY_ID,
  AWS_SECRET_ACCESS_KEY,
}: LakeSettings): boolean {
  return (
    LAKE_URL?.startsWith('s3://') !== true ||
    (AWS_ACCESS_KEY_ID !== undefined && AWS_SECRET_ACCESS_KEY !== undefined)
  );
}

/** Returns the lake's part of the configuration. */
export function lakeOf(settings: LakeSettings): LakeConfig {
  return {
    lake: settings.LAKE_URL === undefined ? undefined : objectsAt(settings.LAKE_URL, settings),
  };
}

/**
 * Parses `s3://bucket/prefix` or the path of a folder; returns undefined for any other address. Adds the access key of
 * the settings to a bucket.
 */
function objectsAt(address: string, settings: LakeSettings): ObjectsConfig | undefined {
  const place = lakePlace(address);
  if (place === undefined || 'folder' in place) return place && { kind: 'folder', ...place };
  const { S3_REGION: region, S3_ENDPOINT: endpoint = `https://s3.${region}.amazonaws.com` } =
    settings;
  return Object.freeze({
    kind: 's3',
    ...place,
    endpoint,
    region,
    accessKeyId: settings.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: settings.AWS_SECRET_ACCESS_KEY ?? '',
    sessionToken: settings.AWS_SESSION_TOKEN,
  });
}

function lakePlace(
  text: string,
): { bucket: string; prefix: string } | { folder: string } | undefined {
  if (path.isAbsolute(text)) return { folder: path.resolve(text) };
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w.\-/]*?))?\/*$/.exec(text) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix };
}
