import { createHash } from 'node:crypto'

/** The id that a fact has for ever unless its builder chose one: uuid v5 of `type:version` in the aggregate's namespace. */
export function eventIdOf(aggregateId: string, type: string, aggregateVersion: number): string {
  const namespace = Buffer.from(aggregateId.replaceAll('-', ''), 'hex')
  const bytes = createHash('sha1').update(namespace).update(`${type}:${aggregateVersion}`).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
