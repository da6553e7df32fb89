import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Receiver, receiver } from '@svc/testing'
import { SmsRefusedError, type SmsSender, smsSender } from '../src/index.ts'

let provider: Receiver
let sender: SmsSender
const accepted = { body: '{"code":"ok","message_id":"m1"}' }
const sms = { to: '+2348031234567', text: 'Your code is 123456.' }

/** A client that waits for an answer no longer than this; a busy machine never reaches ten seconds. */
const client = (timeoutMs = 10_000): SmsSender =>
  smsSender({ baseUrl: `${provider.url}/messaging-a`, apiKey: 'the-key', from: 'Dispatch', timeoutMs })

beforeEach(async () => {
  provider = await receiver({ respond: () => accepted })
  sender = client()
})
afterEach(async () => {
  await sender.close()
  await provider.close()
})

const failure = () =>
  sender.sendSms(sms).then(
    () => undefined,
    (error: unknown) => error as Error & { code?: string },
  )

describe('a text message', () => {
  test('goes out once, as the provider wants it', async () => {
    await sender.sendSms(sms)
    expect(provider.requests).toHaveLength(1)
    expect(provider.requests[0]).toMatchObject({ method: 'POST', path: '/messaging-a/api/sms/send' })
    expect(provider.requests[0]!.json()).toEqual({
      api_key: 'the-key',
      to: '2348031234567',
      from: 'Dispatch',
      sms: sms.text,
      type: 'plain',
      channel: 'dnd',
    })
  })

  test.each([408, 429, 500, 503])('answered %i may be tried again', async (status) => {
    provider.respond(() => ({ status, body: '{"code":"error"}' }))
    expect(await failure()).toMatchObject({ code: 'service_unavailable' })
  })

  test.each([400, 401, 403, 422])('answered %i is refused for good', async (status) => {
    provider.respond(() => ({ status, body: '{"code":"error"}' }))
    expect(await failure()).toBeInstanceOf(SmsRefusedError)
  })

  test.each(['{"code":"insufficient_balance"}', '{}', 'null', 'queued', ''])(
    'answered 200 and %j was not taken',
    async (body) => {
      provider.respond(() => ({ body }))
      expect(await failure()).toBeInstanceOf(SmsRefusedError)
    },
  )

  test('that nobody answers, or that is cut off, may be tried again', async () => {
    await sender.close()
    sender = client(300)
    provider.respond(() => new Promise(() => {}))
    expect(await failure()).toMatchObject({ code: 'service_unavailable' })
    provider.respond(() => ({ drop: true }))
    expect(await failure()).toMatchObject({ code: 'service_unavailable' })
  })

  test('with a reply without end does not fill the memory', async () => {
    provider.respond(() => ({ body: Buffer.alloc(1_000_000, 0x20) }))
    expect(await failure()).toBeDefined()
  })

  test('that fails names neither the key nor the text', async () => {
    for (const reply of [{ status: 503 }, { status: 400 }, { drop: true }]) {
      provider.respond(() => reply)
      const error = await failure()
      expect(`${error!.stack} ${JSON.stringify(error)}`).not.toMatch(/the-key|123456/)
    }
  })
})
