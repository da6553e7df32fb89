import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { TestIngestion } from './start-ingestion.ts'

const KEY = randomBytes(24)
/** Of the e-mail provider. */
export const EMAIL_SECRET = `whsec_${KEY.toString('base64')}`

/** What the provider tells of a mail to that merchant. */
export const mailNotice = (merchantId: string, data: Record<string, unknown> = {}) =>
  JSON.stringify({
    type: 'email.received',
    created_at: '2026-02-22T23:41:12.126Z',
    data: {
      email_id: randomUUID(),
      from: 'Ada <ada@example.com>',
      to: [`store-${merchantId}@in.example.com`],
      cc: [],
      subject: 'Order 17',
      attachments: [],
      ...data,
    },
  })

/** Sends a notice as the provider would. */
export function sendMail(ingestion: Pick<TestIngestion, 'anyone'>, body: string) {
  const [id, timestamp] = [`msg_${randomUUID()}`, String(Math.floor(Date.now() / 1000))]
  const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = [
    { name: 'svix-id', value: id },
    { name: 'svix-timestamp', value: timestamp },
    { name: 'svix-signature', value: `v1,${signature}` },
  ]
  return ingestion.anyone().receiveHook({ channel: 'email-a', headers, body: Buffer.from(body), exhausted_signers: [] })
}
