import { createHmac, timingSafeEqual } from 'node:crypto'

const HEX_SHA512 = /^[0-9a-f]{128}$/

/** The provider's signature of these bytes, in lower-case hex: of one kind for every hook, made with the API's own key. */
export const signHook = (secretKey: string, body: Buffer): string =>
  createHmac('sha512', secretKey).update(body).digest('hex')

/** Whether one of the keys made the signature of these bytes. */
export function isSignedBy(secretKeys: readonly string[], body: Buffer, signature: string): boolean {
  if (!HEX_SHA512.test(signature)) return false
  const given = Buffer.from(signature, 'hex')
  return secretKeys.some((key) => timingSafeEqual(Buffer.from(signHook(key, body), 'hex'), given))
}
