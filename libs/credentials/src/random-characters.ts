import { createHmac, randomBytes } from 'node:crypto'
import { BASE62_DIGITS } from './base62.ts'

/** Yields bytes without end. */
type ByteSource = () => Iterable<number>

const systemBytes: ByteSource = function* () {
  while (true) yield* randomBytes(64)
}

const seededBytes = (seed: string, label: string): ByteSource =>
  function* () {
    for (let block = 0; ; block++) yield* createHmac('sha256', seed).update(`${label}:${block}`).digest()
  }

// 248 = 4 x 62: larger bytes would make the first digits likelier.
const UNBIASED_BELOW = 248

function take(bytes: ByteSource, length: number): string {
  let text = ''
  for (const byte of bytes()) {
    if (byte < UNBIASED_BELOW) text += BASE62_DIGITS.charAt(byte % 62)
    if (text.length === length) break
  }
  return text
}

/** Base-62 characters, uniformly distributed: from the system's generator, or the same ones for the same seed and label. */
export function randomCharacters(length: number, seeded?: { seed: string; label: string }): string {
  return take(seeded ? seededBytes(seeded.seed, seeded.label) : systemBytes, length)
}
