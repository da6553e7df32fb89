import express, { type Response, Router } from 'express'
import { z } from 'zod'
import { emit, emitSchema } from './emit.ts'
import { type Faults, faultSchema } from './faults.ts'
import type { Provider } from './provider.ts'
import type { World } from './world.ts'

interface Controlled {
  world: World
  faults: Faults
  providers: ReadonlyMap<string, Provider>
  /** Where hooks go. */
  platformUrl: string
}

const clockSchema = z.strictObject({ now: z.iso.datetime({ offset: true }) })

const refuse = (response: Response, message: string): void => {
  response.status(400).json({ error: 'validation_error', message })
}

/** The value as the schema reads it; answers 400 and returns undefined where it does not fit. */
function read<S extends z.ZodType>(schema: S, body: unknown, response: Response): z.output<S> | undefined {
  const parsed = schema.safeParse(body)
  if (!parsed.success) refuse(response, z.prettifyError(parsed.error))
  return parsed.data
}

const known = (names: Iterable<string>): string => [...names].join(', ') || 'none'

/** The routes that no real provider has: what was asked and sent, and what shall go wrong. */
export function controlRouter({ world, faults, providers, platformUrl }: Controlled): Router {
  const router = Router()
  router.use(express.json({ limit: '10mb' }))

  router.get('/outbox', (_request, response) => void response.json({ items: world.outbox }))
  router.get('/requests', (_request, response) => void response.json({ requests: world.requests }))

  router.post('/faults', (request, response) => {
    const fault = read(faultSchema, request.body, response)
    if (!fault) return
    if (!providers.has(fault.provider)) return refuse(response, `provider is one of: ${known(providers.keys())}`)
    faults.add(fault)
    response.json({ ok: true })
  })

  router.post('/emit', async (request, response) => {
    const order = read(emitSchema, request.body, response)
    if (!order) return
    const senders = [...providers.values()].filter(({ hooks }) => hooks)
    const sender = senders.find(({ name }) => name === order.provider)
    if (!sender?.hooks) {
      const names = known(providers.keys())
      return refuse(
        response,
        `providers that send hooks: ${known(senders.map(({ name }) => name))}; all providers: ${names}`,
      )
    }
    response.json({ deliveries: await emit(sender.hooks, platformUrl, order, world.now) })
  })

  router.post('/clock', (request, response) => {
    const clock = read(clockSchema, request.body, response)
    if (!clock) return
    world.setNow(new Date(clock.now))
    response.json({ now: world.now().toISOString() })
  })

  router.post('/reset', (_request, response) => {
    faults.clear()
    world.reset()
    for (const provider of providers.values()) provider.reset()
    response.json({ ok: true })
  })

  return router
}
