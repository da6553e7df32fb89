import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { controlRouter } from './control.ts'
import { createCredentials } from './credentials.ts'
import { createFaults } from './faults.ts'
import type { ProviderFactory, ProviderSettings } from './provider.ts'
import { record } from './record.ts'
import { PROVIDERS } from './registry.ts'
import { createWorld } from './world.ts'

export interface ProvidersOptions extends Partial<ProviderSettings> {
  host?: string
  /** 0 takes a free port. */
  port?: number
  factories?: readonly ProviderFactory[]
}

export interface Providers {
  start(): Promise<void>
  /** Closes every connection at once, answered or not. */
  stop(): Promise<void>
  /** Base URL without a trailing slash; known after start. */
  url(): string
}

/** The double of all third parties on one port, in memory: API below `/<provider>`, control below `/__control`. */
export function createProviders(options: ProvidersOptions = {}): Providers {
  const { host = '127.0.0.1', port = 0, factories = PROVIDERS } = options
  const { platformUrl = 'http://127.0.0.1:8080', paymentsSecretKey = 'sk_test_of_a_local_run' } = options
  const { paymentsBSecret = 'secret-of-a-local-run', messagingSecretKey = 'secret-of-a-local-run' } = options
  const { emailInboundSecret = 'whsec_c2VjcmV0IG9mIGEgbG9jYWwgcnVu' } = options
  const settings = { platformUrl, paymentsSecretKey, paymentsBSecret, messagingSecretKey, emailInboundSecret }
  const world = createWorld()
  const faults = createFaults()
  const credentials = createCredentials()
  const providers = new Map(factories.map((make) => make(world, settings)).map((provider) => [provider.name, provider]))

  const app = express().disable('x-powered-by').disable('etag')
  app.get('/health', (_request, response) => void response.json({ status: 'ok' }))
  app.use('/__control', controlRouter({ world, faults, credentials, providers, platformUrl }))
  const readRaw = express.raw({ type: () => true, limit: '25mb' })
  for (const provider of providers.values()) {
    const before = [readRaw, record(world, provider.name), credentials.judge(provider), faults.inject(provider)]
    app.use(`/${provider.name}`, ...before, provider.router)
  }
  const server = createServer(app)

  return {
    async start() {
      server.listen(port, host)
      await once(server, 'listening')
    },
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    url: () => `http://${host}:${(server.address() as AddressInfo).port}`,
  }
}
