import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { digestEquals, type Peppers, pepperName } from '@svc/credentials'
import type { KeptDigest } from '../domain/api-key.ts'

/** To make a key object of a pepper costs four times the digest. */
const keyObjects = new WeakMap<Buffer, KeyObject>()

/** HMAC-SHA256 under the pepper over the SHA-256 of the text of an API key. */
function keyDigest(pepper: Buffer, secretSha256: Uint8Array): Buffer {
  let key = keyObjects.get(pepper)
  if (!key) {
    key = createSecretKey(pepper)
    keyObjects.set(pepper, key)
  }
  return createHmac('sha256', key).update(secretSha256).digest()
}

/** What is stored of an API key with the SHA-256 of its text, by the first of the peppers. */
export const keptDigest = ([pepper]: Peppers, secretSha256: Uint8Array): KeptDigest => ({
  secretHmac: keyDigest(pepper, secretSha256),
  secretPepper: pepperName(pepper),
})

/** The place of the pepper by which the digest of that text was made; -1: it is of another text, or of a pepper that is not named. */
export const pepperOf = (peppers: Peppers, secretSha256: Uint8Array, secretHmac: Uint8Array): number =>
  peppers.findIndex((pepper) => digestEquals(keyDigest(pepper, secretSha256), secretHmac))
