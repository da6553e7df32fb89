const SEED = 0x9747b28c
const M = 0x5bd1e995

/**
 * The partition of a key, as every client of Kafka has it, in 32-bit integers: the library counts in BigInt,
 * which costs as much as all else that is done for a fact before it is encoded.
 */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions
}

function murmur2(data: Buffer): number {
  let h = SEED ^ data.length
  const words = data.length & ~3
  for (let at = 0; at < words; at += 4) {
    let k = Math.imul(data.readInt32LE(at), M)
    k = Math.imul(k ^ (k >>> 24), M)
    h = Math.imul(h, M) ^ k
  }
  const rest = data.length - words
  if (rest > 0) h = Math.imul(h ^ data.readUIntLE(words, rest), M)
  h = Math.imul(h ^ (h >>> 13), M)
  return h ^ (h >>> 15)
}
