import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const OPENED_KEPT = 5_000
const WRAPPED_BYTES = IV_BYTES + TAG_BYTES + KEY_BYTES

/** Keys that encrypt data keys; the first seals, all of them open. */
export type KeyEncryptionKeys = ReadonlyArray<{ id: string; key: Buffer }>

/** Names where a secret lives, so that a sealed value copied to another row, column or tenant does not open. */
export interface Place {
  table: string
  column: string
  row: string
  tenant: string
}

export interface SecretBox {
  /** With which every value begins that the first key has sealed. */
  readonly currentPrefix: string
  seal(place: Place, secret: string): string
  open(place: Place, sealed: string): string
}

/** Seals secrets by AES-256-GCM under a data key of their own, which is wrapped by the key-encryption key `id`. */
export function createSecretBox(keys: KeyEncryptionKeys): SecretBox {
  const [current] = keys
  if (!current) throw new Error('at least one key-encryption key is required')
  // Every attempt signs with an opened secret; opening each time would cost more than signing.
  const opened = new Map<string, string>()
  return {
    currentPrefix: `${current.id}:`,
    seal(place, secret) {
      const dataKey = randomBytes(KEY_BYTES)
      const sealed = [
        encrypt(current.key, dataKey, additionalData(place, current.id)),
        encrypt(dataKey, Buffer.from(secret), additionalData(place, current.id)),
      ]
      return `${current.id}:${Buffer.concat(sealed).toString('base64')}`
    },
    open(place, sealed) {
      const name = additionalData(place, sealed).toString()
      const known = opened.get(name)
      if (known !== undefined) return known
      const colon = sealed.indexOf(':')
      const id = sealed.slice(0, colon)
      const keyEncryptionKey = keys.find((key) => key.id === id)
      if (!keyEncryptionKey) throw new Error(`the key-encryption key ${id} is not configured`)
      const bytes = Buffer.from(sealed.slice(colon + 1), 'base64')
      const dataKey = decrypt(keyEncryptionKey.key, bytes.subarray(0, WRAPPED_BYTES), additionalData(place, id))
      const secret = decrypt(dataKey, bytes.subarray(WRAPPED_BYTES), additionalData(place, id)).toString('utf8')
      if (opened.size >= OPENED_KEPT) opened.clear()
      opened.set(name, secret)
      return secret
    },
  }
}

const additionalData = ({ table, column, row, tenant }: Place, keyId: string) =>
  Buffer.from([table, column, row, tenant, keyId].join('|'))

function encrypt(key: Buffer, plain: Buffer, aad: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(aad)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer, bytes: Buffer, aad: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(aad).setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
}
