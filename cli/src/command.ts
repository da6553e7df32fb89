import type { DeliveryDispatch } from '@delivery-dispatch/sdk'
import type { Output } from './output.ts'
import type { Position } from './position.ts'
import type { Profile, Profiles } from './profiles.ts'

export type Values = Readonly<Record<string, string | boolean | undefined>>

/** What a command may use. */
export interface Session {
  output: Output
  profiles: Profiles
  /** The profile of the call; throws where nobody has logged in. */
  profile: () => Profile
  /** How far `listen` has come for an address; undefined where the key is of the environment, of which nothing is kept. */
  position: (url: string) => Position | undefined
  dispatch: () => DeliveryDispatch
  /** Ends what goes on without an end. */
  signal: AbortSignal
  env: NodeJS.ProcessEnv
}

export interface Command {
  /** As it is typed, beside its options: `orders get ID`. */
  usage: string
  summary: string
  options?: Readonly<Record<string, { type: 'string' | 'boolean'; short?: string; text: string; value?: string }>>
  run(session: Session, positionals: string[], values: Values): Promise<void>
}

/** What every command takes. */
export const COMMON = {
  profile: { type: 'string', short: 'p', value: 'NAME', text: 'The profile to use' },
  json: { type: 'boolean', text: 'One JSON value a line' },
  help: { type: 'boolean', short: 'h', text: 'This text' },
} as const

/** `orders get ID` is called by `orders get`. */
export const wordsOf = (usage: string): string[] => usage.split(' ').filter((word) => /^[a-z]+$/.test(word))
