import { type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { hmacHooks } from '../hmac-hooks.ts'
import type { Provider, ProviderSettings } from '../provider.ts'
import type { World } from '../world.ts'

const smsSchema = z.object({
  api_key: z.string().min(1),
  to: z.string().regex(/^\d{7,15}$/),
  from: z.string().min(3).max(11),
  sms: z.string().min(1).max(918),
  type: z.literal('plain'),
  channel: z.enum(['dnd', 'generic', 'whatsapp']),
})

const bulkSchema = smsSchema.extend({ to: z.array(smsSchema.shape.to).min(1).max(100) })

/** As the real one does: a JSON number beyond 2^53, which clients must not read as one. */
const FIRST_MESSAGE_ID = 9_122_821_270_554_876_574n

const refuse = (response: Response, status: number, code: string, message: string): void => {
  response.status(status).json({ code, message })
}

/** The messaging provider: text messages, which the outbox shows with the code in them. */
export function messagingA(world: World, { messagingSecretKey: secret }: ProviderSettings): Provider {
  let sent = 0
  const router = Router()

  const hand = (to: string, text: string): void => {
    const code = /\b\d{6}\b/.exec(text)?.[0]
    world.outbox.push({
      id: String(FIRST_MESSAGE_ID + BigInt(sent++)),
      at: world.now().toISOString(),
      channel: 'sms',
      to: `+${to}`,
      template: code === undefined ? 'text' : 'otp',
      text,
      ...(code !== undefined && { code }),
    })
  }
  /** Written by hand: JSON.stringify has no such number. */
  const accepted = (response: Response): void => {
    const id = FIRST_MESSAGE_ID + BigInt(sent - 1)
    response
      .type('json')
      .send(`{"code":"ok","message_id":${id},"message":"Successfully Sent","balance":1000,"user":"Dispatch"}`)
  }
  const send =
    (schema: typeof smsSchema | typeof bulkSchema) =>
    (request: Request, response: Response): void => {
      const given = (request.body ?? {}) as { api_key?: unknown }
      if (typeof given.api_key !== 'string' || given.api_key === '') {
        return refuse(response, 401, 'unauthorized', 'Invalid api key')
      }
      const parsed = schema.safeParse(request.body)
      if (!parsed.success) return refuse(response, 400, 'invalid', z.prettifyError(parsed.error))
      for (const to of [parsed.data.to].flat()) hand(to, parsed.data.sms)
      accepted(response)
    }

  router.post('/api/sms/send', send(smsSchema))
  router.post('/api/sms/send/bulk', send(bulkSchema))
  router.get('/api/get-balance', (request, response) => {
    if (!request.query['api_key']) return refuse(response, 401, 'unauthorized', 'Invalid api key')
    response.json({ user: 'Dispatch', balance: 1000, currency: 'NGN' })
  })
  router.get('/api/sms/inbox', (request, response) => {
    if (!request.query['api_key']) return refuse(response, 401, 'unauthorized', 'Invalid api key')
    const messages = world.outbox.filter(({ channel }) => channel === 'sms')
    response.json(
      messages.map(({ id, to, text, at }) => ({ message_id: id, receiver: to, message: text, sent_at: at })),
    )
  })

  return {
    name: 'messaging-a',
    router,
    reset() {
      sent = 0
    },
    bears({ body, query }) {
      const key: unknown = (body as { api_key?: unknown } | null)?.api_key ?? query['api_key']
      return typeof key === 'string' ? key : undefined
    },
    hooks: hmacHooks({
      algorithm: 'sha512',
      encoding: 'hex',
      header: 'x-messaging-a-signature',
      secret,
      defaultPath: '/webhooks/messaging-a/global',
    }),
  }
}
