import type { Request, Router } from 'express'
import type { World } from './world.ts'

/** How a hook is signed: properly, with a wrong digest, not at all, or in a way that only this provider knows. */
export type SignMode = string

/** What a provider that sends hooks adds: where they go and how their bytes are signed. */
export interface HookSender {
  /** Path on the platform, used when the caller of emit names none. */
  defaultPath: string
  /** What `headers` knows. */
  signModes: readonly SignMode[]
  headers(body: Buffer, sign: SignMode, now: Date): Record<string, string>
}

/** One third party. Its router is mounted below `/<name>`; its state lives in the closure that made it. */
export interface Provider {
  name: string
  router: Router
  /** Forgets everything that was asked of it. */
  reset(): void
  hooks?: HookSender
  /** Below `/__control`: what cannot be ordered from the real one. */
  control?: Router
  /** The secret of ours, or its name, with which a request comes; undefined where it comes with none. */
  bears?(request: Request): string | undefined
  /** How it words a refusal; a fault of mode `status` answers so. */
  refusal?(message: string): object
}

/** What the double is told about the platform that it serves. */
export interface ProviderSettings {
  /** Base URL that hooks are sent to. */
  platformUrl: string
  /** Signs the hooks of payments-a. */
  paymentsSecretKey: string
  /** Signs the hooks of payments-b. */
  paymentsBSecret: string
  /** Signs the hooks of messaging-a. */
  messagingSecretKey: string
  /** Signs the notices of email-a: `whsec_` and base64. */
  emailInboundSecret: string
}

/** Makes a provider; each folder beside this file exports one. */
export type ProviderFactory = (world: World, settings: ProviderSettings) => Provider
