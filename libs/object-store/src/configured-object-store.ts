import { z } from 'zod'
import { type ObjectStore, s3ObjectStore } from './object-store.ts'

/** The knobs of a bucket. */
export const objectStoreKnobs = {
  /** The S3 bucket, path style; unset: no uploads. */
  objectStoreBucketUrl: z.url().optional(),
  objectStoreRegion: z.string().default('us-east-1'),
  objectStoreAccessKeyId: z.string().default(''),
  objectStoreSecretAccessKey: z.string().default(''),
}

interface Configured {
  objectStoreBucketUrl?: string | undefined
  objectStoreRegion: string
  objectStoreAccessKeyId: string
  objectStoreSecretAccessKey: string
}

/** The operator's store, or null where none is configured. */
export function configuredObjectStore(config: Configured): ObjectStore | null {
  const { objectStoreBucketUrl: bucketUrl, objectStoreRegion: region } = config
  if (bucketUrl === undefined) return null
  const { objectStoreAccessKeyId: accessKeyId, objectStoreSecretAccessKey: secretAccessKey } = config
  return s3ObjectStore({ bucketUrl, region, accessKeyId, secretAccessKey })
}
