import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'
import { type Slots, slots } from './slots.ts'

// Argon2id (the default of the library) with 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options

export interface Passwords {
  hash(password: string): Promise<string>
  /** Without a hash (an unknown address) it does the same work and says no. Call it within a slot. */
  matches(storedHash: string | undefined, password: string): Promise<boolean>
  /** At most two hashes per core run at once: each takes 19 MiB and all of a core. */
  slot: Slots
  /** The hash of what nobody knows: no password matches it. */
  readonly hashOfNone: string
}

/** Hashes and verifies passwords under the pepper. */
export async function createPasswords(pepper: Buffer): Promise<Passwords> {
  const options = { ...COST, secret: pepper }
  const slot = slots(2 * availableParallelism())
  const hashOfNone = await hash(randomBytes(32), options)
  return {
    slot,
    hashOfNone,
    hash: (password) => slot(() => hash(password, options)),
    async matches(storedHash, password) {
      const same = await verify(storedHash ?? hashOfNone, password, options)
      return same && storedHash !== undefined
    },
  }
}
