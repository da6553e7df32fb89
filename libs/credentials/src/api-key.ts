import { hash } from 'node:crypto'
import { CHECKSUM_LENGTH, checksum } from './checksum.ts'
import { secretEquals } from './constant-time.ts'
import { randomCharacters } from './random-characters.ts'

const ID_LENGTH = 12
// 32 base-62 characters are 190 bits.
const SECRET_LENGTH = 32
const FORMAT = new RegExp(
  `^svc_(test|live)_([0-9A-Za-z]{${ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
)

/** What a well-formed API key says of itself, without its secret. */
export interface ParsedApiKey {
  /** The public 12 characters that name the key and stay over a rotation. */
  keyId: string
  isTest: boolean
  /** SHA-256 of the whole text, which binds secret, id and environment together. */
  secretSha256: Buffer
}

export interface MintedApiKey extends ParsedApiKey {
  /** The key itself. Shown once, never stored. */
  text: string
  /** `svc_test_<id>`: safe to show and to log. */
  prefix: string
  last4: string
}

interface MintOptions {
  isTest: boolean
  /** Keeps the id of a key that is rotated. */
  keyId?: string
  /** The same seed gives the same key: for a local demonstration only. */
  seed?: string
}

/** Mints a key of 190 random bits, or the one that belongs to the seed. */
export function mintApiKey({ isTest, keyId, seed }: MintOptions): MintedApiKey {
  const environment = isTest ? 'test' : 'live'
  const characters = (part: string, length: number) =>
    randomCharacters(length, seed === undefined ? undefined : { seed, label: `api-key:${environment}:${part}` })
  const prefix = `svc_${environment}_${keyId ?? characters('id', ID_LENGTH)}`
  const unchecked = `${prefix}_${characters('secret', SECRET_LENGTH)}`
  return describeApiKey(unchecked + checksum(unchecked))
}

/** Describes a key that is known to be well-formed; throws for anything else. */
export function describeApiKey(text: string): MintedApiKey {
  const parsed = parseApiKey(text)
  if (!parsed) throw new TypeError('not an API key')
  return { ...parsed, text, prefix: text.slice(0, text.lastIndexOf('_')), last4: text.slice(-4) }
}

/**
 * What is wrong with a text that should be a key, as far as anybody can compute it who has it; undefined for a well-formed
 * key, of which only the service knows whether it is good.
 */
export function problemOfApiKey(text: string): 'not_a_key' | 'checksum' | undefined {
  if (!FORMAT.test(text)) return 'not_a_key'
  return parseApiKey(text) ? undefined : 'checksum'
}

/** Reads a key, or null where form or checksum are wrong: a malformed key never costs a query. */
export function parseApiKey(text: string): ParsedApiKey | null {
  const [, environment, keyId] = FORMAT.exec(text) ?? []
  if (!environment || !keyId) return null
  if (!secretEquals(checksum(text.slice(0, -CHECKSUM_LENGTH)), text.slice(-CHECKSUM_LENGTH))) return null
  return { keyId, isTest: environment === 'test', secretSha256: hash('sha256', text, 'buffer') }
}
