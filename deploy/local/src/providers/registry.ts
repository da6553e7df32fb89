import { cloud } from './cloud/provider.ts'
import { emailA } from './email-a/provider.ts'
import { messagingA } from './messaging-a/provider.ts'
import { objectStore } from './object-store/provider.ts'
import { oidc } from './oidc/provider.ts'
import { paymentsA } from './payments-a/provider.ts'
import { paymentsB } from './payments-b/provider.ts'
import type { ProviderFactory } from './provider.ts'

/** Every third party that the mesh talks to. A new one is a folder beside this file and a line here. */
export const PROVIDERS: readonly ProviderFactory[] = [
  cloud,
  emailA,
  messagingA,
  objectStore,
  oidc,
  paymentsA,
  paymentsB,
]
