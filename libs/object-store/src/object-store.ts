import { AwsClient } from 'aws4fetch'

/** How long a signed upload or download may begin. */
const SIGNED_FOR_SECONDS = 900
/** Within which it begins to answer; a stream that is read may take as long as its reader lets it. */
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

/** Where files are kept. */
export interface ObjectStore {
  readonly signedForSeconds: number
  /**
   * One PUT of exactly this type and size, for any client that has the URL: the store refuses what would replace it, unless
   * it may be replaced.
   */
  signUpload(key: string, object: Upload): Promise<SignedUpload>
  /** Puts it there, in place of what was, until the signal is aborted. */
  write(key: string, object: { contentType: string; bytes: Uint8Array }, signal: AbortSignal): Promise<void>
  /** Removes it, if it is there. */
  remove(key: string): Promise<void>
  /** What is there; null: nothing. */
  look(key: string): Promise<StoredObject | null>
  /** All of its bytes, as they come, until the signal is aborted; null: nothing is there. */
  read(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null>
  /** A GET for a browser, which saves it under that name and shows nothing of it. */
  signDownload(key: string, file: { fileName: string }): Promise<string>
}

/** Any store that speaks S3, with URLs signed by Signature Version 4. */
export function s3ObjectStore({ bucketUrl, region, accessKeyId, secretAccessKey }: ObjectStoreOptions): ObjectStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })

  async function sign(
    method: string,
    key: string,
    headers: Record<string, string> = {},
    query: Record<string, string> = {},
  ): Promise<string> {
    const url = new URL(`${bucketUrl.replace(/\/+$/, '')}/${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    url.searchParams.set('X-Amz-Expires', String(SIGNED_FOR_SECONDS))
    const signed = await client.sign(url, { method, headers, aws: { signQuery: true, allHeaders: true } })
    return signed.url
  }

  async function ask(
    method: 'HEAD' | 'GET' | 'DELETE',
    key: string,
    headers: Record<string, string> = {},
    signal: AbortSignal = AbortSignal.timeout(TIMEOUT_MS),
  ): Promise<Response | null> {
    const response = await fetch(await sign(method, key), { method, headers, signal })
    if (response.ok) return response
    if (response.status === 404) return null
    throw new Error(`the object store answered ${response.status}`)
  }

  async function signUpload(key: string, { contentType, sizeBytes, mayReplace }: Upload): Promise<SignedUpload> {
    const once: Record<string, string> = mayReplace ? {} : { 'If-None-Match': '*' }
    const headers = { 'Content-Type': contentType, 'Content-Length': String(sizeBytes), ...once }
    const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    return { url: await sign('PUT', key, Object.fromEntries(lowered)), headers }
  }

  return {
    signedForSeconds: SIGNED_FOR_SECONDS,
    signUpload,
    async write(key, { contentType, bytes }, signal) {
      const { url, headers } = await signUpload(key, { contentType, sizeBytes: bytes.length, mayReplace: true })
      const response = await fetch(url, { method: 'PUT', headers, body: Buffer.from(bytes), signal })
      if (!response.ok) throw new Error(`the object store answered ${response.status}`)
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
    async read(key, signal) {
      const found = await ask('GET', key, {}, signal)
      return found && (found.body ?? noBytes())
    },
    signDownload: (key, { fileName }) =>
      sign('GET', key, {}, { 'response-content-disposition': `attachment; filename*=UTF-8''${encodedName(fileName)}` }),
  }
}

/** As RFC 5987 has it, which knows fewer harmless characters than a URI. */
const encodedName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

async function* noBytes(): AsyncGenerator<Uint8Array> {}

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
