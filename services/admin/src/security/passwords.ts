import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'
import { type Peppers, pepperName } from '@svc/credentials'
import { type Slots, slots } from './slots.ts'

// Argon2id (the default of the library) with 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options

export type Matched =
  | { matches: false }
  /** `isFormer`: another pepper than the first has made the hash. */
  | { matches: true; isFormer: boolean }

export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Without a hash (an unknown address) it does the same work and says no; and whichever pepper has made the hash it tries
   * all. Call it within a slot.
   */
  match(storedHash: string | undefined, password: string): Promise<Matched>
  /** At most two hashes per core run at once: each takes 19 MiB and all of a core. */
  slot: Slots
  /** The hash of what nobody knows: no password matches it. */
  readonly hashOfNone: string
}

/** Hashes passwords under the first of the peppers and verifies them under each. */
export async function createPasswords(peppers: Peppers): Promise<Passwords> {
  const [first, ...others] = peppers
  const slot = slots(2 * availableParallelism())
  const made = async (password: string | Buffer) =>
    withPepper(await hash(password, { ...COST, secret: first }), pepperName(first))
  const hashOfNone = await made(randomBytes(32))
  return {
    slot,
    hashOfNone,
    hash: (password) => slot(() => made(password)),
    async match(storedHash, password) {
      const isBy = (secret: Buffer) => verify(storedHash ?? hashOfNone, password, { ...COST, secret })
      const isByFirst = await isBy(first)
      let isFormer = false
      // All of them: the time must not tell which accounts have not logged in since the first took its place.
      for (const pepper of others) if (await isBy(pepper)) isFormer = true
      return storedHash !== undefined && (isByFirst || isFormer)
        ? { matches: true, isFormer: !isByFirst }
        : { matches: false }
    },
  }
}

/** The hash with the name of its pepper, where PHC strings have it: the library writes none and reads over it. */
const withPepper = (made: string, name: string): string => made.replace(/(\$m=[^$]+)\$/, `$1,keyid=${name}$`)
