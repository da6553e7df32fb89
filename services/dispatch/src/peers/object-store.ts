import { AwsClient } from 'aws4fetch'
import type { Config } from '../config.ts'

/** How long a signed upload or download may begin. */
const SIGNED_FOR_SECONDS = 900
const TIMEOUT_MS = 5_000
const BEGINNING_BYTES = 16

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

interface Upload {
  contentType: string
  sizeBytes: number
  mayReplace: boolean
}

export interface StoredObject {
  contentType: string
  sizeBytes: number
  /** Its first bytes, by which a kind of file is known. */
  beginning: Uint8Array
}

/** Where photos are kept. */
export interface ObjectStore {
  readonly signedForSeconds: number
  /**
   * One PUT of exactly this type and size, for any client that has the URL: the store refuses what would replace it, unless
   * it may be replaced.
   */
  signUpload(key: string, object: Upload): Promise<SignedUpload>
  /** Removes it, if it is there. */
  remove(key: string): Promise<void>
  /** What is there; null: nothing. */
  look(key: string): Promise<StoredObject | null>
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

  async function ask(
    method: 'HEAD' | 'GET' | 'DELETE',
    key: string,
    headers: Record<string, string> = {},
  ): Promise<Response | null> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(await sign(method, key), { method, headers, signal })
    if (response.ok) return response
    if (response.status === 404) return null
    throw new Error(`the object store answered ${response.status}`)
  }

  return {
    signedForSeconds: SIGNED_FOR_SECONDS,
    async signUpload(key, { contentType, sizeBytes, mayReplace }) {
      const once: Record<string, string> = mayReplace ? {} : { 'If-None-Match': '*' }
      const headers = { 'Content-Type': contentType, 'Content-Length': String(sizeBytes), ...once }
      const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
      return { url: await sign('PUT', key, Object.fromEntries(lowered)), headers }
    },
    async remove(key) {
      await ask('DELETE', key)
    },
    async look(key) {
      const head = await ask('HEAD', key)
      if (!head) return null
      const body = await ask('GET', key, { range: `bytes=0-${BEGINNING_BYTES - 1}` })
      return (
        body && {
          contentType: head.headers.get('content-type') ?? '',
          sizeBytes: Number(head.headers.get('content-length') ?? Number.NaN),
          beginning: await beginningOf(body),
        }
      )
    },
  }
}

/** The first bytes; of a store that sends all of it the rest is not read. */
async function beginningOf({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= BEGINNING_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, BEGINNING_BYTES)
}

/** The operator's store, or null where none is configured. */
export function configuredObjectStore(config: Config): ObjectStore | null {
  const { objectStoreBucketUrl: bucketUrl, objectStoreRegion: region } = config
  if (bucketUrl === undefined) return null
  const { objectStoreAccessKeyId: accessKeyId, objectStoreSecretAccessKey: secretAccessKey } = config
  return s3ObjectStore({ bucketUrl, region, accessKeyId, secretAccessKey })
}
