import { createHmac } from 'node:crypto'
import type { Signed } from './channel.ts'

const BASE64_SHA256 = /^[A-Za-z0-9+/]{43}=$/

/** The one signature of that name, as base64 of 32 bytes. Two are none: which one counts would be a guess. */
export function base64Signature({ headers }: Signed, wanted: string): Buffer | null {
  const [signature, ...more] = headers.filter(({ name }) => name === wanted)
  if (!signature || more.length > 0 || !BASE64_SHA256.test(signature.value)) return null
  return Buffer.from(signature.value, 'base64')
}

export const hmacSha256 = (secret: string | Buffer, text: Buffer | string): Buffer =>
  createHmac('sha256', secret).update(text).digest()
