import { createHash } from 'node:crypto'
import { type NextFunction, type Request, type Response, Router } from 'express'
import type { Provider, ProviderSettings } from '../provider.ts'
import type { World } from '../world.ts'
import { type Email, readEmail } from './email.ts'
import { mailbox, mailNotices } from './mailbox.ts'

interface Sent {
  id: string
  fingerprint: string
  email: Email
  createdAt: string
}

const fail = (response: Response, statusCode: number, name: string, message: string): void => {
  response.status(statusCode).json({ statusCode, name, message })
}

const keyOf = (request: Request): string | undefined => /^Bearer (\S+)$/.exec(request.get('authorization') ?? '')?.[1]

const requireKey = (request: Request, response: Response, next: NextFunction): void => {
  if (keyOf(request) !== undefined) return next()
  fail(response, 401, 'missing_api_key', 'Missing API key in the authorization header.')
}

/** The n-th mail since the last reset has the same id in every run. */
const mailId = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

const fingerprintOf = (body: unknown): string => createHash('sha256').update(JSON.stringify(body)).digest('hex')

function hand(world: World, { id, email }: Sent): void {
  const content = `${email.text ?? ''}\n${email.html ?? ''}`
  const token = /[?&]token=([\w.~-]+)/.exec(content)?.[1]
  const code = token ? undefined : /\b\d{6}\b/.exec(content)?.[0]
  for (const to of email.to) {
    world.outbox.push({
      id,
      at: world.now().toISOString(),
      channel: 'email',
      to,
      template: email.tags?.find(({ name }) => name === 'template')?.value ?? null,
      subject: email.subject,
      text: email.text ?? '',
      ...(email.html !== undefined && { html: email.html }),
      ...(token !== undefined && { token }),
      ...(code !== undefined && { code }),
    })
  }
}

const publicEmail = ({ id, email, createdAt }: Sent) => ({
  object: 'email',
  id,
  to: email.to,
  from: email.from,
  created_at: createdAt,
  subject: email.subject,
  html: email.html ?? null,
  text: email.text ?? null,
  cc: email.cc ?? null,
  bcc: email.bcc ?? null,
  reply_to: email.reply_to ?? null,
  last_event: 'delivered',
})

/** The mail provider: accepts each idempotency key once, keeps what was sent, and shows it in the outbox; what came it tells of. */
export function emailA(world: World, { emailInboundSecret }: ProviderSettings): Provider {
  const sentById = new Map<string, Sent>()
  const sentByKey = new Map<string, Sent>()
  const router = Router()
  const received = mailbox(world)
  router.use(received.downloads)
  router.use(requireKey)
  router.use(received.api)

  router.post('/emails', (request, response) => {
    const key = request.get('idempotency-key')
    if (key !== undefined && (key.length < 1 || key.length > 256)) {
      return fail(response, 400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.')
    }
    const fingerprint = fingerprintOf(request.body)
    const earlier = key === undefined ? undefined : sentByKey.get(key)
    if (earlier && earlier.fingerprint !== fingerprint) {
      return fail(
        response,
        409,
        'invalid_idempotent_request',
        'Same idempotency key used with a different request payload.',
      )
    }
    if (earlier) return void response.json({ id: earlier.id })

    const read = readEmail(request.body)
    if ('fault' in read) return fail(response, 422, read.fault.name, read.fault.message)
    const sent = { id: mailId(sentById.size + 1), fingerprint, email: read.email, createdAt: world.now().toISOString() }
    sentById.set(sent.id, sent)
    if (key !== undefined) sentByKey.set(key, sent)
    hand(world, sent)
    response.json({ id: sent.id })
  })

  router.get('/emails/:id', (request, response) => {
    const sent = sentById.get(request.params.id)
    if (!sent) return fail(response, 404, 'not_found', 'Email not found')
    response.json(publicEmail(sent))
  })

  return {
    name: 'email-a',
    bears: keyOf,
    router,
    reset() {
      sentById.clear()
      sentByKey.clear()
      received.reset()
    },
    hooks: mailNotices(emailInboundSecret),
    control: received.control,
  }
}
