import { createHash } from 'node:crypto'

/** Into how many parts the tokens fall, of which each has its turn in a round. */
export const SLICES = 30

/** Sockets by the token that opened them, in slices of about the same size. */
export class TokenGroups<S> {
  readonly #slices = Array.from({ length: SLICES }, () => new Map<string, Set<S>>())
  readonly #most: number

  /** Of one token there are at most so many. */
  constructor(most: number) {
    this.#most = most
  }

  /** False where the token has as many as it may. */
  add(token: string, socket: S): boolean {
    const slice = this.#sliceOf(token)
    const group = slice.get(token) ?? new Set()
    if (group.size >= this.#most) return false
    slice.set(token, group.add(socket))
    return true
  }

  delete(token: string, socket: S): void {
    const slice = this.#sliceOf(token)
    const group = slice.get(token)
    if (group?.delete(socket) && group.size === 0) slice.delete(token)
  }

  /** The groups whose turn it is. */
  slice(turn: number): Iterable<[token: string, sockets: ReadonlySet<S>]> {
    return this.#slices[turn % SLICES] as Map<string, Set<S>>
  }

  #sliceOf(token: string): Map<string, Set<S>> {
    const number = createHash('sha256').update(token).digest().readUInt32BE()
    return this.#slices[number % SLICES] as Map<string, Set<S>>
  }
}
