import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { signHook } from '@svc/payments'
import { eventually, merchantCaller } from '@svc/testing'
import { chargeBody, idOf, PLATFORM_SECRET, startIngestion, type TestIngestion } from './start-ingestion.ts'

const PREVIOUS_SECRET = 'sk_of_the_platform_before_0123'

let ingestion: TestIngestion
beforeAll(async () => {
  ingestion = await startIngestion({ PAYMENTS_PREVIOUS_SECRET_KEY: PREVIOUS_SECRET })
})
afterAll(() => ingestion.stop())

const refused = { code: 'invalid_signature' }

async function merchantWith(secret?: string): Promise<string> {
  const merchantId = await ingestion.knownMerchant()
  if (secret !== undefined)
    await settings(merchantId).putChannelSettings({ channel: 'payments-a', secret, clear_fields: [] })
  return merchantId
}

const settings = (merchantId: string) => ingestion.channels.as(merchantCaller({ merchantId, isTest: false }))

async function announced(id: string) {
  return eventually(() => ingestion.announced(id)[0]?.hook ?? null)
}

describe('whose secret verifies', () => {
  test('is told, and of a signer that has used up its room nothing is taken: another’s is, and junk stays junk', async () => {
    const secret = 'secret of this merchant'
    const merchantId = await merchantWith(secret)
    const own = { secret, merchantId }
    expect(await ingestion.send({ body: chargeBody(), ...own })).toMatchObject({ signer: merchantId })
    expect(await ingestion.send({ body: chargeBody(), merchantId })).toMatchObject({ signer: 'platform' })
    const kept = async () => (await ingestion.sql('SELECT FROM inbound_hooks')).length
    const before = await kept()
    const sent = ingestion.send({ body: chargeBody(), ...own, exhausted: [merchantId] })
    await expect(sent).rejects.toMatchObject({ code: 'rate_limited' })
    const ofPlatform = ingestion.send({ body: chargeBody(), merchantId, exhausted: ['platform'] })
    await expect(ofPlatform).rejects.toMatchObject({ code: 'rate_limited' })
    const junk = ingestion.send({ body: chargeBody(), signature: 'junk', exhausted: ['platform', merchantId] })
    await expect(junk).rejects.toMatchObject(refused)
    expect(await kept()).toBe(before)
    expect((await ingestion.send({ body: chargeBody(), ...own, exhausted: ['platform'] })).status).toBe('accepted')
  })

  test('on a merchant’s address its own does, and the fact tells that the platform’s did not', async () => {
    const secret = 'secret of this merchant'
    const merchantId = await merchantWith(secret)
    const hook = await announced(idOf(await ingestion.send({ body: chargeBody(), secret, merchantId })))
    expect(hook).toMatchObject({ merchant_id: merchantId, signed_by_platform: false })
  })

  test('on a merchant’s address the platform’s does too, whether it has one of its own or not', async () => {
    for (const merchantId of [await merchantWith(), await merchantWith('secret of this merchant')]) {
      const hook = await announced(idOf(await ingestion.send({ body: chargeBody(), merchantId })))
      expect(hook).toMatchObject({ merchant_id: merchantId, signed_by_platform: true })
    }
  })

  test('a merchant’s is good on its own address only', async () => {
    const secret = 'secret of this merchant'
    await merchantWith(secret)
    for (const merchantId of [undefined, await merchantWith(), await merchantWith('secret of another merchant')])
      await expect(ingestion.send({ body: chargeBody(), secret, merchantId })).rejects.toMatchObject(refused)
  })

  test('the platform’s previous one does while it is configured', async () => {
    const hook = await announced(idOf(await ingestion.send({ body: chargeBody(), secret: PREVIOUS_SECRET })))
    expect(hook.signed_by_platform).toBe(true)
  })

  test('a merchant’s replaced one does for a day, a cleared one never again', async () => {
    const [before, after] = ['the secret before', 'the secret afterwards']
    const merchantId = await merchantWith(before)
    const send = (secret: string) => ingestion.send({ body: chargeBody(), secret, merchantId })
    await settings(merchantId).putChannelSettings({ channel: 'payments-a', secret: after, clear_fields: [] })
    for (const secret of [before, after]) expect(await send(secret)).toMatchObject({ status: 'accepted' })
    await ingestion.sql(`UPDATE channel_settings SET previous_secret_expires_at = app_now() WHERE merchant_id = $1`, [
      merchantId,
    ])
    await expect(send(before)).rejects.toMatchObject(refused)
    expect(await send(after)).toMatchObject({ status: 'accepted' })
    await settings(merchantId).putChannelSettings({ channel: 'payments-a', clear_fields: ['secret'] })
    await expect(send(after)).rejects.toMatchObject(refused)
  })
})

describe('what a merchant signs by itself', () => {
  test('never keeps out the same event that the platform’s secret signed, nor that of another merchant', async () => {
    const secret = 'secret that both happen to have'
    const body = chargeBody()
    const forged = await ingestion.send({ body, secret, merchantId: await merchantWith(secret) })
    const others = await ingestion.send({ body, secret, merchantId: await merchantWith(secret) })
    const genuine = await ingestion.send({ body })
    expect(genuine.status).toBe('accepted')
    expect(new Set([forged.id, others.id, genuine.id]).size).toBe(3)
    expect(await announced(idOf(genuine))).toMatchObject({ signed_by_platform: true })
  })

  test('with the platform’s own secret as its own is the platform’s', async () => {
    const merchantId = await merchantWith(PLATFORM_SECRET)
    const hook = await announced(idOf(await ingestion.send({ body: chargeBody(), merchantId })))
    expect(hook.signed_by_platform).toBe(true)
  })
})

describe('an operator', () => {
  test('who has configured no secret makes the provider come again; merchants with their own are served', async () => {
    const bare = await startIngestion({ PAYMENTS_SECRET_KEY: '' })
    try {
      const body = chargeBody()
      const platform = bare.send({ body, secret: '', signature: signHook('', body) })
      await expect(platform).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 300 })
      const merchantId = await bare.knownMerchant()
      await expect(bare.send({ body, merchantId })).rejects.toMatchObject(refused)
      await expect(bare.send({ body, merchantId, signature: signHook('', body) })).rejects.toMatchObject(refused)
      const secret = 'secret of this merchant'
      const caller = bare.channels.as(merchantCaller({ merchantId, isTest: false }))
      await caller.putChannelSettings({ channel: 'payments-a', secret, clear_fields: [] })
      expect(await bare.send({ body, secret, merchantId })).toMatchObject({ status: 'accepted' })
    } finally {
      await bare.stop()
    }
  })

  test('names the header in which the real provider signs', async () => {
    const real = await startIngestion({ PAYMENTS_SIGNATURE_HEADER: 'X-Provider-Signature' })
    try {
      const body = chargeBody()
      const value = signHook(PLATFORM_SECRET, body)
      const send = (name: string) =>
        real.anyone().receiveHook({ channel: 'payments-a', headers: [{ name, value }], body, exhausted_signers: [] })
      await expect(send('x-payments-a-signature')).rejects.toMatchObject(refused)
      expect(await send('x-provider-signature')).toMatchObject({ status: 'accepted' })
    } finally {
      await real.stop()
    }
  })
})

test('where nothing can be stored the provider is asked to come again, and then it is accepted', async () => {
  const body = chargeBody({ reference: randomUUID() })
  await ingestion.asOwner('ALTER TABLE inbound_hooks RENAME TO away')
  try {
    const sent = ingestion.send({ body })
    await expect(sent).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 10 })
  } finally {
    await ingestion.asOwner('ALTER TABLE away RENAME TO inbound_hooks')
  }
  expect(await ingestion.send({ body })).toMatchObject({ status: 'accepted' })
})
