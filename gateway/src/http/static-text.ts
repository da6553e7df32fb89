import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { send } from './exchange.ts'

/** Four megabytes in half a second; the best quality takes twenty times that for a tenth less. */
const BROTLI_QUALITY = 5

interface Variant {
  encoding: 'br' | 'gzip' | 'identity'
  bytes: Buffer
  etag: string
}

interface StaticText {
  contentType: string
  cacheControl: string
  load: () => Buffer | Promise<Buffer>
}

/** Answers with a text that never changes: compressed once, when it is first asked for, and by 304 to whom has it. */
export function staticText({ contentType, cacheControl, load }: StaticText) {
  let variants: Promise<readonly Variant[]> | undefined

  return async ({ headers }: IncomingMessage, response: ServerResponse, vary = 'Accept-Encoding'): Promise<void> => {
    variants ??= variantsOf(load).catch((error: unknown) => {
      variants = undefined
      throw error
    })
    const { encoding, bytes, etag } = preferred(await variants, headers['accept-encoding'])
    response.setHeader('Cache-Control', cacheControl)
    response.setHeader('Vary', vary)
    response.setHeader('ETag', etag)
    if (isKnown(headers['if-none-match'], etag)) {
      response.writeHead(304).end()
      return
    }
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding)
    send(response, 200, contentType, bytes)
  }
}

async function variantsOf(load: StaticText['load']): Promise<readonly Variant[]> {
  const plain = await load()
  const digest = createHash('sha256').update(plain).digest('base64url')
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
  ])
  // Bytes that differ have tags that differ.
  return [
    { encoding: 'br', bytes: br, etag: `"${digest}-br"` },
    { encoding: 'gzip', bytes: gzipped, etag: `"${digest}-gzip"` },
    { encoding: 'identity', bytes: plain, etag: `"${digest}"` },
  ]
}

/** The smallest that the client takes; what cannot be told is answered uncompressed. */
function preferred(variants: readonly Variant[], accepted = ''): Variant {
  const weights = new Map(
    accepted.split(',').map((one) => {
      const [name = '', ...parameters] = one.toLowerCase().split(';')
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return [name.trim(), Number(weight ?? 1)] as const
    }),
  )
  const takes = ({ encoding }: Variant) =>
    encoding === 'identity' || (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
  return variants.find(takes) as Variant
}

const isKnown = (header: string | undefined, etag: string) =>
  header !== undefined && header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')
