import { crc32 } from 'node:zlib'
import { base62 } from './base62.ts'

export const CHECKSUM_LENGTH = 6

/** The last six characters of an API key: CRC-32 (IEEE) of the ASCII before them, in base 62. */
export function checksum(text: string): string {
  return base62(crc32(text), CHECKSUM_LENGTH)
}
