import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares two digests in a time that tells nothing of their contents; digests of different lengths differ. */
export function digestEquals(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && timingSafeEqual(one, other)
}

/** Compares two secrets of any length in a time that tells nothing of either, their lengths included. */
export function secretEquals(one: string, other: string): boolean {
  return digestEquals(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())
}
