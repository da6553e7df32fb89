import type { Router } from 'express'
import type { World } from './world.ts'

/** How a hook is signed: properly, with a wrong digest, not at all, or in a way that only this provider knows. */
export type SignMode = string

/** What a provider that sends hooks adds: where they go and how their bytes are signed. */
export interface HookSender {
  /** Path on the platform, used when the caller of emit names none. */
  defaultPath: string
  headers(body: Buffer, sign: SignMode, now: Date): Record<string, string>
}

/** One third party. Its router is mounted below `/<name>`; its state lives in the closure that made it. */
export interface Provider {
  name: string
  router: Router
  /** Forgets everything that was asked of it. */
  reset(): void
  hooks?: HookSender
}

/** Makes a provider; each folder beside this file exports one. */
export type ProviderFactory = (world: World) => Provider
