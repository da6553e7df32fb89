import express, { Router } from 'express'
import { z } from 'zod'
import { type Credentials, credentialsSchema } from './credentials.ts'
import { emit, emitSchema } from './emit.ts'
import { type Faults, faultSchema } from './faults.ts'
import type { Provider } from './provider.ts'
import { readOrder, refuseOrder } from './read-order.ts'
import type { World } from './world.ts'

interface Controlled {
  world: World
  faults: Faults
  credentials: Credentials
  providers: ReadonlyMap<string, Provider>
  /** Where hooks go. */
  platformUrl: string
}

const clockSchema = z.strictObject({ now: z.iso.datetime({ offset: true }) })

const known = (names: Iterable<string>): string => [...names].join(', ') || 'none'

/** The routes that no real provider has: what was asked and sent, and what shall go wrong. */
export function controlRouter({ world, faults, credentials, providers, platformUrl }: Controlled): Router {
  const router = Router()
  router.use(express.json({ limit: '10mb' }))

  router.get('/outbox', (_request, response) => void response.json({ items: world.outbox }))
  router.get('/requests', (_request, response) => void response.json({ requests: world.requests }))

  router.post('/faults', (request, response) => {
    const fault = readOrder(faultSchema, request.body, response)
    if (!fault) return
    if (!providers.has(fault.provider)) return refuseOrder(response, `provider is one of: ${known(providers.keys())}`)
    faults.add(fault)
    response.json({ ok: true })
  })

  router.delete('/faults', (_request, response) => {
    faults.clear()
    response.json({ ok: true })
  })

  router.get('/credentials', (_request, response) => void response.json({ items: credentials.seen() }))

  router.post('/credentials', (request, response) => {
    const order = readOrder(credentialsSchema, request.body, response)
    if (!order) return
    const { provider, taken } = order
    const askers = [...providers.values()].filter((one) => one.bears !== undefined).map(({ name }) => name)
    if (!askers.includes(provider)) return refuseOrder(response, `provider is one of: ${known(askers)}`)
    credentials.take(provider, taken)
    response.json({ ok: true })
  })

  router.post('/emit', async (request, response) => {
    const order = readOrder(emitSchema, request.body, response)
    if (!order) return
    const senders = [...providers.values()].filter(({ hooks }) => hooks)
    const sender = senders.find(({ name }) => name === order.provider)
    if (!sender?.hooks) {
      const names = known(providers.keys())
      return refuseOrder(
        response,
        `providers that send hooks: ${known(senders.map(({ name }) => name))}; all providers: ${names}`,
      )
    }
    if (!sender.hooks.signModes.includes(order.sign)) {
      return refuseOrder(response, `sign is one of: ${known(sender.hooks.signModes)}`)
    }
    response.json({ deliveries: await emit(sender.hooks, platformUrl, order, world.now) })
  })

  router.post('/clock', (request, response) => {
    const clock = readOrder(clockSchema, request.body, response)
    if (!clock) return
    world.setNow(new Date(clock.now))
    response.json({ now: world.now().toISOString() })
  })

  router.post('/reset', (_request, response) => {
    faults.clear()
    credentials.clear()
    world.reset()
    for (const provider of providers.values()) provider.reset()
    response.json({ ok: true })
  })

  for (const { control } of providers.values()) if (control) router.use(control)

  return router
}
