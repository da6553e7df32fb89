import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@svc/errors'
import { type JsonLimits, readJson, USUAL_LIMITS } from './read-json.ts'

export const MAX_BODY_BYTES = USUAL_LIMITS.maxBytes

const JSON_TYPE = /^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i

interface Expected {
  /** A field whose numbers keep every digit, or all that do. */
  opaque?: string | true
  bodyLimits?: JsonLimits
}

/** The JSON object of a request; a request without a body counts as `{}`. */
export async function readBody(
  request: IncomingMessage,
  { opaque, bodyLimits = USUAL_LIMITS }: Expected = {},
): Promise<Record<string, unknown>> {
  const declared = declaredBytes(request, bodyLimits.maxBytes)
  if (declared === 0 && request.headers['transfer-encoding'] === undefined) return {}
  refuseMediaType(request)
  const bytes = await readBytes(request, bodyLimits.maxBytes)
  return bytes.length === 0 ? {} : readJson(bytes, opaque, bodyLimits)
}

/** A request as it came: what is signed can be judged from it. */
export interface RawRequest {
  /** Names in lower case; repeated ones as often as they came. */
  headers: Array<{ name: string; value: string }>
  body: Buffer
}

/** Credentials of ours are told to no service. */
const WITHHELD = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key'])

/**
 * The request byte for byte, of any media type; throws where it is too long, or compressed: no third party that signs does so,
 * and whether the signature is over what was compressed or what came would be a guess.
 */
export async function readRaw(request: IncomingMessage, maxBytes: number): Promise<RawRequest> {
  declaredBytes(request, maxBytes)
  if (isEncoded(request)) throw encoded()
  const headers: RawRequest['headers'] = []
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = (request.rawHeaders[i] as string).toLowerCase()
    if (!WITHHELD.has(name)) headers.push({ name, value: request.rawHeaders[i + 1] as string })
  }
  return { headers, body: await readBytes(request, maxBytes) }
}

/** How long the body says that it is; throws where that is too long. */
function declaredBytes({ headers }: IncomingMessage, maxBytes: number): number {
  const declared = Number(headers['content-length'] ?? 0)
  if (declared > maxBytes) throw tooLarge(maxBytes)
  return declared
}

const isEncoded = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  (headers['content-encoding'] ?? 'identity') !== 'identity'

function refuseMediaType({ headers }: IncomingMessage): void {
  if (isEncoded({ headers })) throw encoded()
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) throw new ServiceError('unsupported_media_type')
}

const encoded = () =>
  new ServiceError('unsupported_media_type', {
    message: 'Send the body as it is: a Content-Encoding is not accepted.',
  })

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) {
        request.removeAllListeners('data')
        reject(tooLarge(maxBytes))
      } else chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)))
    request.on('error', reject)
    request.on('aborted', () => reject(new ServiceError('validation_error', { message: 'The body was cut off.' })))
  })
}

const tooLarge = (limit_bytes: number) => new ServiceError('payload_too_large', { details: { limit_bytes } })
