import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Receiver, receiver } from '@svc/testing'
import { type Mailer, mailer } from '../src/index.ts'

let provider: Receiver
let mail: Mailer
const letter = {
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'Dear Ada',
  template: 'greeting',
  idempotencyKey: 'key-1',
}

/** A client that waits for an answer no longer than this; a busy machine never reaches ten seconds. */
const client = (timeoutMs = 10_000): Mailer =>
  mailer({ baseUrl: `${provider.url}/email-a`, apiKey: 'secret', from: 'Us <us@example.com>', timeoutMs })

beforeEach(async () => {
  provider = await receiver({ respond: () => ({ body: '{"id":"m1"}' }) })
  mail = client()
})
afterEach(async () => {
  await mail.close()
  await provider.close()
})

describe('a mail', () => {
  test('goes out once, under its idempotency key', async () => {
    expect(await mail.sendMail(letter)).toEqual({ id: 'm1' })
    const [request] = provider.requests
    expect(request).toMatchObject({ method: 'POST', path: '/email-a/emails' })
    expect(request?.headers).toMatchObject({ authorization: 'Bearer secret', 'idempotency-key': 'key-1' })
    expect(request?.json()).toEqual({
      from: 'Us <us@example.com>',
      to: ['ada@example.com'],
      subject: 'Hello',
      text: 'Dear Ada',
      tags: [{ name: 'template', value: 'greeting' }],
    })
    expect(provider.requests).toHaveLength(1)
  })

  test.each([408, 409, 429, 500, 503])('answered %i may be tried again, when the provider says so', async (status) => {
    provider.respond(() => ({ status, headers: { 'retry-after': '7' } }))
    await expect(mail.sendMail(letter)).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 7 })
  })

  test.each([400, 401, 403, 422])('answered %i is refused for good', async (status) => {
    provider.respond(() => ({ status, body: '{"message":"no"}' }))
    await expect(mail.sendMail(letter)).rejects.toMatchObject({ name: 'MailRefusedError', status })
  })

  test('that nobody answers, or that is cut off, may be tried again', async () => {
    await mail.close()
    mail = client(300)
    provider.respond(() => new Promise(() => {}))
    await expect(mail.sendMail(letter)).rejects.toMatchObject({ code: 'service_unavailable' })
    provider.respond(() => ({ drop: true }))
    await expect(mail.sendMail(letter)).rejects.toMatchObject({ code: 'service_unavailable' })
  })

  test('that was accepted is sent, whatever the reply looks like', async () => {
    provider.respond(() => ({ status: 202, body: 'queued' }))
    expect(await mail.sendMail(letter)).toEqual({ id: '' })
  })
})
