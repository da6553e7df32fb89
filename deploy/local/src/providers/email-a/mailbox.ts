import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Request, type Response, Router } from 'express'
import { z } from 'zod'
import type { HookSender } from '../provider.ts'
import { readOrder } from '../read-order.ts'
import type { World } from '../world.ts'

const mailSchema = z.strictObject({
  from: z.string().default('Ada Okafor <ada@example.test>'),
  to: z.array(z.string()).default([]),
  subject: z.string().default(''),
  text: z.string().nullable().default(null),
  html: z.string().nullable().default(null),
  attachments: z
    .array(
      z.strictObject({
        id: z.string(),
        filename: z.string().nullable().default(null),
        content_type: z.string(),
        content_base64: z.base64(),
        /** What the provider says of its size; that of its bytes unless given. */
        size: z.int().optional(),
        /** In the place of the provider's own URL. */
        download_url: z.string().optional(),
      }),
    )
    .default([]),
  /** For how long what is downloaded can be; less than nothing: no more. */
  urls_for_seconds: z.int().default(3_600),
})

type ReceivedMail = z.output<typeof mailSchema>

/** As the provider writes times: `2023-04-07 23:13:52.669661+00`. */
const timeOf = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '000+00')

const notFound = (response: Response, message: string): void => {
  response.status(404).json({ name: 'not_found', message, statusCode: 404 })
}

/** Mail that came: what its API tells of it, its downloads under signed URLs, and the control route that puts it there. */
export function mailbox(world: World) {
  const mails = new Map<string, ReceivedMail>()
  const key = randomBytes(32)
  const [api, downloads, control] = [Router(), Router(), Router()]

  const signatureOf = (path: string, expires: string) =>
    createHmac('sha256', key).update(`${path}\n${expires}`).digest('hex')

  function signed(request: Request, path: string, { urls_for_seconds: seconds }: ReceivedMail) {
    const at = new Date(world.now().getTime() + seconds * 1_000)
    const expires = String(at.getTime())
    const url = `http://${request.headers.host}/email-a${path}?expires=${expires}&signature=${signatureOf(path, expires)}`
    return { download_url: url, expires_at: timeOf(at) }
  }

  const attachmentOf = (request: Request, emailId: string, mail: ReceivedMail, index: number) => {
    const { content_base64: content, download_url: other, size, ...named } = mail.attachments[index]!
    const own = signed(request, `/downloads/${emailId}/${index}`, mail)
    return {
      object: 'attachment',
      ...named,
      size: size ?? Buffer.from(content, 'base64').length,
      content_disposition: 'attachment',
      content_id: null,
      ...own,
      ...(other !== undefined && { download_url: other }),
    }
  }

  api.get('/emails/receiving/:id', (request, response) => {
    const { id } = request.params
    const mail = mails.get(id)
    if (!mail) return notFound(response, 'Email not found')
    const { from, to, subject, text, html } = mail
    const attachments = mail.attachments.map((_each, index) => {
      const { download_url: _url, expires_at: _at, object: _object, ...told } = attachmentOf(request, id, mail, index)
      return told
    })
    const raw = signed(request, `/downloads/${id}/raw`, mail)
    const empty = { bcc: null, cc: null, reply_to: null, received_for: [], headers: {} }
    const createdAt = timeOf(world.now())
    response.json({
      object: 'email',
      id,
      from,
      to,
      created_at: createdAt,
      subject,
      html,
      text,
      ...empty,
      raw,
      attachments,
    })
  })

  api.get('/emails/receiving/:id/attachments', (request, response) => {
    const mail = mails.get(request.params.id)
    if (!mail) return notFound(response, 'Email not found')
    const data = mail.attachments.map((_each, index) => attachmentOf(request, request.params.id, mail, index))
    response.json({ object: 'list', has_more: false, data })
  })

  api.get('/emails/receiving/:id/attachments/:attachment', (request, response) => {
    const { id, attachment } = request.params
    const mail = mails.get(id)
    const index = mail?.attachments.findIndex((each) => each.id === attachment) ?? -1
    if (!mail || index < 0) return notFound(response, 'Attachment not found')
    response.json(attachmentOf(request, id, mail, index))
  })

  downloads.get('/downloads/:id/:part', (request, response) => {
    const query = new URL(request.originalUrl, 'http://localhost').searchParams
    const [expires, signature] = [query.get('expires') ?? '', query.get('signature') ?? '']
    const right = Buffer.from(signatureOf(request.path, expires))
    const given = Buffer.from(signature)
    const isOurs = given.length === right.length && timingSafeEqual(given, right)
    if (!isOurs || Number(expires) <= world.now().getTime())
      return void response.status(403).type('xml').send('<Error><Code>AccessDenied</Code></Error>')
    const mail = mails.get(request.params.id)
    const part = mail?.attachments[Number(request.params.part)]
    if (part) return void response.type('application/octet-stream').send(Buffer.from(part.content_base64, 'base64'))
    if (!mail || request.params.part !== 'raw') return notFound(response, 'Not found')
    response.type('message/rfc822').send(`From: ${mail.from}\r\nSubject: ${mail.subject}\r\n\r\n${mail.text ?? ''}\r\n`)
  })

  control.post('/emails/:id', (request, response) => {
    const mail = readOrder(mailSchema, request.body, response)
    if (!mail) return
    mails.set(request.params.id, mail)
    response.json({ ok: true })
  })

  return { api, downloads, control, reset: () => mails.clear() }
}

/** Notices of mail, signed over id, time and body. */
export function mailNotices(secret: string): HookSender {
  const signedBy = (keyText: string, agoSeconds: number) => (body: Buffer, now: Date) => {
    const id = `msg_${randomBytes(12).toString('hex')}`
    const timestamp = String(Math.floor(now.getTime() / 1_000) - agoSeconds)
    const signature = createHmac('sha256', Buffer.from(keyText.replace(/^whsec_/, ''), 'base64'))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest('base64')
    return { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}` }
  }
  const modes: Record<string, (body: Buffer, now: Date) => Record<string, string>> = {
    good: signedBy(secret, 0),
    stale: signedBy(secret, 3_600),
    bad: signedBy(`whsec_${Buffer.from('the secret of somebody else').toString('base64')}`, 0),
    none: () => ({}),
  }
  return {
    defaultPath: '/webhooks/email-a/inbound',
    signModes: Object.keys(modes),
    headers: (body, sign, now) => modes[sign]?.(body, now) ?? {},
  }
}
