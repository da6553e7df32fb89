import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ServiceError, validationError } from '@svc/errors'
import busboy from 'busboy'

/** What a multipart body holds beside the fields of its schema. */
export interface UploadLimits {
  /** Of the file. */
  maxBytes: number
}

export interface Upload {
  /** As sent; of the file its digest: two uploads are the same whatever parted their bodies. */
  fields: Record<string, string>
  file: Buffer
}

/** Of a request that has none. */
export const NO_FILE = Buffer.alloc(0)

const FILE = 'file'
const FIELD_BYTES = 16 * 1024
const MAX_FIELDS = 20
/** Of boundaries and headers of parts. */
const OVERHEAD_BYTES = 512 * 1024

/** A multipart body with one file, in the part `file`, which is never held beyond its limit. */
export async function readUpload(request: IncomingMessage, { maxBytes }: UploadLimits): Promise<Upload> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + OVERHEAD_BYTES) throw tooLarge(maxBytes)
  const parser = parserOf(request, maxBytes)
  try {
    return await read(request, parser, maxBytes)
  } finally {
    request.unpipe(parser)
    request.resume()
  }
}

function parserOf(request: IncomingMessage, fileSize: number): busboy.Busboy {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
  if (!/^multipart\/form-data\s*;/i.test(type) || encoding !== 'identity') {
    throw new ServiceError('unsupported_media_type', { message: 'The body must be multipart/form-data.' })
  }
  const limits = { fileSize, fieldSize: FIELD_BYTES, fields: MAX_FIELDS, files: 2, fieldNameSize: 100 }
  try {
    return busboy({ headers: request.headers, limits, defParamCharset: 'utf8' })
  } catch (cause) {
    throw malformed(cause)
  }
}

function read(request: IncomingMessage, parser: busboy.Busboy, maxBytes: number): Promise<Upload> {
  const fields: Record<string, string> = Object.create(null)
  const chunks: Buffer[] = []
  const digest = createHash('sha256')
  let files = 0
  const { promise, resolve, reject } = Promise.withResolvers<Upload>()

  parser.on('file', (name, stream) => {
    stream.on('error', () => {})
    if (name !== FILE) {
      reject(fault(name, 'unknown_field', 'is no file of this request'))
      stream.resume()
      return
    }
    files += 1
    if (files > 1) {
      reject(twice(FILE))
      stream.resume()
      return
    }
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      digest.update(chunk)
    })
    stream.on('limit', () => reject(tooLarge(maxBytes)))
  })
  parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
    if (nameTruncated || valueTruncated) reject(fault(name, 'max', `must have at most ${FIELD_BYTES} bytes`))
    else if (name === FILE) reject(fault(FILE, 'type', 'must be a file'))
    else if (name in fields) reject(twice(name))
    else if (value.includes('\0')) reject(fault(name, 'nul_character', 'must not hold a NUL character'))
    else fields[name] = value
  })
  parser.on('fieldsLimit', () => reject(fault('', 'max', `The body has more than ${MAX_FIELDS} fields`)))
  parser.on('filesLimit', () => reject(twice(FILE)))
  parser.on('error', (cause) => reject(malformed(cause)))
  parser.on('close', () => {
    if (files === 0) reject(fault(FILE, 'required', 'is required'))
    resolve({ fields: { ...fields, [FILE]: digest.digest('hex') }, file: Buffer.concat(chunks) })
  })
  request.on('error', reject)
  request.on('aborted', () => reject(malformed(undefined)))
  request.pipe(parser)
  return promise
}

const fault = (field: string, rule: string, words: string): ServiceError =>
  validationError([{ field, rule, message: `${field && `${field} `}${words}.` }])

const twice = (field: string): ServiceError => fault(field, 'duplicate', 'must be sent once')

const malformed = (cause: unknown): ServiceError =>
  new ServiceError('validation_error', {
    message: 'The body is not valid multipart/form-data.',
    details: { reason: 'malformed_multipart' },
    cause,
  })

const tooLarge = (limit_bytes: number) => new ServiceError('payload_too_large', { details: { limit_bytes } })
