import type { Config } from '../config.ts'
import type { Channels } from './channel.ts'
import { emailA } from './email-a/channel.ts'
import { messagingA } from './messaging-a/channel.ts'
import { paymentsA } from './payments-a/channel.ts'
import { paymentsB } from './payments-b/channel.ts'
import { storefrontA } from './storefront-a/channel.ts'
import { storefrontB } from './storefront-b/channel.ts'

/** All channels, one folder each. */
export const channelsOf = (config: Config): Channels =>
  new Map(
    [
      messagingA(config),
      paymentsA(config),
      paymentsB(config),
      storefrontA(config),
      storefrontB(config),
      emailA(config),
    ].map((channel) => [channel.name, channel]),
  )
