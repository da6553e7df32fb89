import { AwsClient } from 'aws4fetch'
import type { Config } from '../config.ts'

/** How long a signed upload or download may begin. */
const SIGNED_FOR_SECONDS = 900
const TIMEOUT_MS = 5_000

interface ObjectStoreOptions {
  /** Base URL of the bucket, path style: keys follow it. */
  bucketUrl: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface SignedUpload {
  url: string
  /** To be sent as they are: they are part of the signature. */
  headers: Record<string, string>
}

/** Where photos are kept. */
export interface ObjectStore {
  readonly signedForSeconds: number
  /** A PUT of exactly this type and size, for any client that has the URL. */
  signUpload(key: string, object: { contentType: string; sizeBytes: number }): Promise<SignedUpload>
  /** A GET for any client that has the URL. */
  signDownload(key: string): Promise<string>
  /** Whether the object is there. */
  has(key: string): Promise<boolean>
}

/** Any store that speaks S3, with URLs signed by Signature Version 4. */
function s3ObjectStore({ bucketUrl, region, accessKeyId, secretAccessKey }: ObjectStoreOptions): ObjectStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })

  async function sign(method: string, key: string, headers: Record<string, string> = {}): Promise<string> {
    const url = new URL(`${bucketUrl.replace(/\/+$/, '')}/${key}`)
    url.searchParams.set('X-Amz-Expires', String(SIGNED_FOR_SECONDS))
    const signed = await client.sign(url, { method, headers, aws: { signQuery: true, allHeaders: true } })
    return signed.url
  }

  return {
    signedForSeconds: SIGNED_FOR_SECONDS,
    async signUpload(key, { contentType, sizeBytes }) {
      const url = await sign('PUT', key, { 'content-type': contentType, 'content-length': String(sizeBytes) })
      return { url, headers: { 'Content-Type': contentType, 'Content-Length': String(sizeBytes) } }
    },
    signDownload: (key) => sign('GET', key),
    async has(key) {
      const response = await fetch(await sign('HEAD', key), { method: 'HEAD', signal: AbortSignal.timeout(TIMEOUT_MS) })
      if (response.ok) return true
      if (response.status === 404) return false
      throw new Error(`the object store answered ${response.status}`)
    },
  }
}

/** The operator's store, or null where none is configured. */
export function configuredObjectStore(config: Config): ObjectStore | null {
  const { objectStoreBucketUrl: bucketUrl, objectStoreRegion: region } = config
  if (bucketUrl === undefined) return null
  const { objectStoreAccessKeyId: accessKeyId, objectStoreSecretAccessKey: secretAccessKey } = config
  return s3ObjectStore({ bucketUrl, region, accessKeyId, secretAccessKey })
}
