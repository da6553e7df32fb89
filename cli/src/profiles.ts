import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { EXIT, Failure } from './failure.ts'
import { type Keyring, systemKeyring } from './keyring.ts'
import { readPrivate, writePrivate } from './private-file.ts'

export interface Profile {
  baseUrl: string
  apiKey: string
  environment: 'test' | 'live'
  merchantId?: string
  /** Signs what `listen` forwards. */
  webhookSecret?: string
}

export const environmentOf = (apiKey: string): Profile['environment'] =>
  apiKey.startsWith('svc_live_') ? 'live' : 'test'

/** A profile as its file has it: the key itself, or under which name a keyring has it. */
type Stored = Omit<Profile, 'apiKey'> & ({ apiKey: string; inKeyring?: never } | { inKeyring: string; apiKey?: never })

const ENDING = '.json'

/**
 * The profiles of whoever is logged in to the machine, each in a file that nobody else may read, and which of them is the
 * current one in another. Only a log-in writes a profile, as a whole: two at once lose nothing of each other, and nobody
 * ever reads the key of one with the address of the other. Keys are kept in the keyring of the system, and in the file
 * only where there is none.
 */
export class Profiles {
  readonly folder: string
  readonly #keyring: Keyring | undefined

  constructor(env: NodeJS.ProcessEnv) {
    this.#keyring = systemKeyring(env)
    const home = env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
    this.folder = env['DISPATCH_CONFIG_DIR'] ?? join(home, 'delivery-dispatch')
  }

  /** Every profile, without its key. */
  all(): Array<Omit<Profile, 'apiKey'> & { name: string }> {
    return this.#names().flatMap((name) => {
      const stored = this.#read(name)
      return stored ? [{ ...stored, name }] : []
    })
  }

  current(): string | undefined {
    return readPrivate(this.#currentPath)?.trim() || undefined
  }

  /** Throws where the profile is there, and its key is not to be had. */
  get(name: string): Profile | undefined {
    const stored = this.#read(name)
    if (!stored) return undefined
    const { inKeyring, ...profile } = stored
    const apiKey = profile.apiKey ?? this.#keyring?.get(inKeyring!)
    if (apiKey === undefined)
      throw new Failure(`The keyring does not give the key of profile ${name}. Unlock it, or log in again.`)
    return { ...profile, apiKey }
  }

  /** Where the key of a profile is kept, for people to read. */
  placeOf(name: string): string {
    const isInFile = this.#read(name)?.apiKey !== undefined
    return isInFile ? `${this.#pathOf(name)}, readable by you alone` : 'the keyring of this system'
  }

  /** Keeps a profile and makes it the current one. The secret of `listen` stays, where it is of the same merchant. */
  use(name: string, given: Pick<Profile, 'baseUrl' | 'apiKey' | 'merchantId'>): void {
    const before = this.#read(name)
    const { apiKey, ...rest } = given
    const isSame = before?.merchantId === given.merchantId && before?.baseUrl === given.baseUrl
    const profile = {
      ...rest,
      environment: environmentOf(apiKey),
      webhookSecret: (isSame && before?.webhookSecret) || newSecret(),
    }
    // A name of its own: of two that log in at once, whoever is the last finds the key that goes with the rest.
    const inKeyring = `${name} ${randomUUID()} of ${this.folder}`
    const isKept = this.#keyring?.set(inKeyring, apiKey) === true
    this.#write(name, isKept ? { ...profile, inKeyring } : { ...profile, apiKey })
    if (before?.inKeyring !== undefined) this.#keyring?.remove(before.inKeyring)
    writePrivate(this.#currentPath, `${name}\n`)
  }

  /** Goes on with another profile. */
  select(name: string): void {
    this.#known(name)
    writePrivate(this.#currentPath, `${name}\n`)
  }

  remove(name: string): void {
    const { inKeyring } = this.#known(name)
    if (inKeyring !== undefined) this.#keyring?.remove(inKeyring)
    rmSync(this.#pathOf(name), { force: true })
    if (this.current() === name) rmSync(this.#currentPath, { force: true })
  }

  get #currentPath(): string {
    return join(this.folder, 'current')
  }

  /** A name is what somebody typed: as a part of a path it is harmless. */
  #pathOf(name: string): string {
    return join(this.folder, 'profiles', `${encodeURIComponent(name)}${ENDING}`)
  }

  #names(): string[] {
    try {
      return readdirSync(join(this.folder, 'profiles'))
        .filter((file) => file.endsWith(ENDING))
        .map((file) => decodeURIComponent(file.slice(0, -ENDING.length)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  #known(name: string): Stored {
    const stored = this.#read(name)
    if (stored) return stored
    throw new Failure(`There is no profile ${name}. Known: ${this.#names().join(', ') || 'none'}.`, EXIT.usage)
  }

  #read(name: string): Stored | undefined {
    const text = readPrivate(this.#pathOf(name))
    if (text === undefined) return undefined
    try {
      return JSON.parse(text) as Stored
    } catch {
      throw new Failure(`${this.#pathOf(name)} is not JSON. Mend it or remove it, then log in again.`)
    }
  }

  #write(name: string, stored: Stored): void {
    writePrivate(this.#pathOf(name), `${JSON.stringify(stored, null, 2)}\n`)
  }
}

export const newSecret = (): string => `whsec_${randomBytes(24).toString('base64url')}`
