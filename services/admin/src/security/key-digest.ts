import { createHmac } from 'node:crypto'

/** What is stored of an API key: HMAC-SHA256 under the pepper over the SHA-256 of its text. */
export function keyDigest(pepper: Buffer, secretSha256: Uint8Array): Buffer {
  return createHmac('sha256', pepper).update(secretSha256).digest()
}
