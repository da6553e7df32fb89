import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readPrivate, writePrivate } from './private-file.ts'
import type { Profile } from './profiles.ts'

/**
 * How far `listen` has come in a log, for each address that it forwards to: a file of its own, which is written with every
 * event. It belongs to the merchant, the environment and the service, not to the name of the profile.
 */
export class Position {
  readonly #path: string

  constructor(folder: string, { baseUrl, merchantId, environment }: Profile, url: string) {
    const of = createHash('sha256').update(JSON.stringify([baseUrl, merchantId, environment, url]))
    this.#path = join(folder, 'positions', of.digest('hex').slice(0, 32))
  }

  get(): string | undefined {
    return readPrivate(this.#path) || undefined
  }

  keep(cursor: string): void {
    writePrivate(this.#path, cursor)
  }
}
