import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { EXIT, Failure } from './failure.ts'

export interface Profile {
  baseUrl: string
  apiKey: string
  merchantId?: string
  /** Signs what `listen` forwards. */
  webhookSecret?: string
  /** How far `listen` has come, by the address that it forwards to. */
  cursors?: Record<string, string>
}

interface Stored {
  current?: string
  profiles: Record<string, Profile>
}

/** The profiles of whoever is logged in to the machine, in a file that nobody else may read. */
export class Profiles {
  readonly path: string

  constructor(env: NodeJS.ProcessEnv) {
    const home = env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
    this.path = join(env['DISPATCH_CONFIG_DIR'] ?? join(home, 'delivery-dispatch'), 'profiles.json')
  }

  names(): string[] {
    return Object.keys(this.#read().profiles)
  }

  current(): string | undefined {
    return this.#read().current
  }

  get(name: string): Profile | undefined {
    return this.#read().profiles[name]
  }

  /** Keeps a profile and makes it the current one. */
  use(name: string, profile: Profile): void {
    const stored = this.#read()
    this.#write({ current: name, profiles: { ...stored.profiles, [name]: profile } })
  }

  /** Changes a profile where it is kept: one of the environment is not. */
  change(name: string, part: Partial<Profile>): void {
    const stored = this.#read()
    const profile = stored.profiles[name]
    if (profile) this.#write({ ...stored, profiles: { ...stored.profiles, [name]: { ...profile, ...part } } })
  }

  remove(name: string): void {
    const { current, profiles } = this.#read()
    const { [name]: gone, ...rest } = profiles
    if (!gone)
      throw new Failure(
        `There is no profile ${name}. Known: ${Object.keys(profiles).join(', ') || 'none'}.`,
        EXIT.usage,
      )
    this.#write({ current: current === name ? undefined : current, profiles: rest })
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
