import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** To make a key object of a pepper costs four times the digest. */
const keyObjects = new WeakMap<Buffer, KeyObject>()

/** What is stored of an API key: HMAC-SHA256 under the pepper over the SHA-256 of its text. */
export function keyDigest(pepper: Buffer, secretSha256: Uint8Array): Buffer {
  let key = keyObjects.get(pepper)
  if (!key) {
    key = createSecretKey(pepper)
    keyObjects.set(pepper, key)
  }
  return createHmac('sha256', key).update(secretSha256).digest()
}
