import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { EXIT, Failure } from './failure.ts'
import { type Keyring, systemKeyring } from './keyring.ts'

export interface Profile {
  baseUrl: string
  apiKey: string
  merchantId?: string
  /** Signs what `listen` forwards. */
  webhookSecret?: string
  /** How far `listen` has come, by the address that it forwards to. */
  cursors?: Record<string, string>
}

/** A profile as the file has it: without its key where a keyring keeps that. */
type StoredProfile = Omit<Profile, 'apiKey'> & { apiKey?: string }

interface Stored {
  current?: string
  profiles: Record<string, StoredProfile>
}

/**
 * The profiles of whoever is logged in to the machine, in a file that nobody else may read. Their keys are kept in the
 * keyring of the system, and in the file only where there is none.
 */
export class Profiles {
  readonly path: string
  readonly #keyring: Keyring | undefined

  constructor(env: NodeJS.ProcessEnv) {
    this.#keyring = systemKeyring(env)
    const home = env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
    this.path = join(env['DISPATCH_CONFIG_DIR'] ?? join(home, 'delivery-dispatch'), 'profiles.json')
  }

  names(): string[] {
    return Object.keys(this.#read().profiles)
  }

  current(): string | undefined {
    return this.#read().current
  }

  /** Throws where the profile is there, and its key is not to be had. */
  get(name: string): Profile | undefined {
    const stored = this.#read().profiles[name]
    if (!stored) return undefined
    const apiKey = stored.apiKey ?? this.#keyring?.get(this.#account(name))
    if (apiKey === undefined)
      throw new Failure(`The keyring does not give the key of profile ${name}. Unlock it, or log in again.`)
    return { ...stored, apiKey }
  }

  /** Where the key of a profile is kept, for people to read. */
  placeOf(name: string): string {
    const isInFile = this.#read().profiles[name]?.apiKey !== undefined
    return isInFile ? `${this.path}, readable by you alone` : 'the keyring of this system'
  }

  /** Keeps a profile and makes it the current one. What it had before of the same merchant and service stays. */
  use(name: string, { apiKey, ...profile }: Profile): void {
    const stored = this.#read()
    const before = stored.profiles[name]
    // How far `listen` came, and its secret, are of a merchant and a service: of others they would be wrong.
    const isSame = before?.merchantId === profile.merchantId && before?.baseUrl === profile.baseUrl
    const { apiKey: _, ...rest } = (isSame && before) || { baseUrl: profile.baseUrl }
    const isInKeyring = this.#keyring?.set(this.#account(name), apiKey) === true
    const kept = { ...rest, ...profile, ...(isInKeyring ? {} : { apiKey }) }
    this.#write({ current: name, profiles: { ...stored.profiles, [name]: kept } })
  }

  /** Goes on with another profile. */
  select(name: string): void {
    const stored = this.#read()
    this.#refuseUnknown(stored, name)
    this.#write({ ...stored, current: name })
  }

  /** Changes a profile where it is kept: one of the environment is not. */
  change(name: string, part: Partial<Omit<Profile, 'apiKey'>>): void {
    const stored = this.#read()
    const profile = stored.profiles[name]
    if (profile) this.#write({ ...stored, profiles: { ...stored.profiles, [name]: { ...profile, ...part } } })
  }

  remove(name: string): void {
    const stored = this.#read()
    this.#refuseUnknown(stored, name)
    const { [name]: gone, ...rest } = stored.profiles
    if (gone?.apiKey === undefined) this.#keyring?.remove(this.#account(name))
    this.#write({ current: stored.current === name ? undefined : stored.current, profiles: rest })
  }

  #refuseUnknown({ profiles }: Stored, name: string): void {
    if (!profiles[name])
      throw new Failure(
        `There is no profile ${name}. Known: ${Object.keys(profiles).join(', ') || 'none'}.`,
        EXIT.usage,
      )
  }

  /** Profiles of the same name in two folders are two. */
  #account(name: string): string {
    return `${name} of ${this.path}`
  }

  #read(): Stored {
    let text: string
    try {
      text = readFileSync(this.path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} }
      throw error
    }
    try {
      return JSON.parse(text) as Stored
    } catch {
      throw new Failure(`${this.path} is not JSON. Mend it or remove it, then log in again.`)
    }
  }

  /** Through a file beside it: one that is killed while it writes leaves the old one whole. */
  #write(stored: Stored): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    const beside = `${this.path}.${process.pid}`
    writeFileSync(beside, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
    chmodSync(beside, 0o600)
    renameSync(beside, this.path)
  }
}
