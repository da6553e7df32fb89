import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyWebhook } from '@delivery-dispatch/sdk'
import { describe, expect, test } from '@jest/globals'

interface Vector {
  name: string
  secret: string
  previous_secret?: string
  event_id: string
  timestamp: string
  body: string
  signature_v1: string
  signature_v2: string
}
const { vectors } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/guides/webhook-vectors.json'), 'utf8'),
) as { vectors: Vector[] }

const headers = ({ event_id }: Vector, signature: string) => ({
  'X-Service-Signature': signature,
  'X-Service-Event-Id': event_id,
})
const at = ({ timestamp }: Vector, seconds = 0) => (Number(timestamp) + seconds) * 1000
const first = vectors[0]!

describe.each(vectors)('$name', (vector) => {
  test.each(['signature_v1', 'signature_v2'] as const)('%s holds, and gives the event', async (version) => {
    const given = { secret: vector.secret, now: at(vector) }
    const event = await verifyWebhook(vector.body, headers(vector, vector[version]), given)
    expect(event).toEqual(JSON.parse(vector.body))
    await expect(
      verifyWebhook(new TextEncoder().encode(vector.body), new Headers(headers(vector, vector[version])), given),
    ).resolves.toEqual(event)
  })

  test.each(['signature_v1', 'signature_v2'] as const)(
    '%s holds for no other body and no other secret',
    async (version) => {
      const signed = headers(vector, vector[version])
      const now = at(vector)
      await expect(verifyWebhook(`${vector.body} `, signed, { secret: vector.secret, now })).rejects.toMatchObject({
        reason: 'signature_wrong',
      })
      await expect(verifyWebhook(vector.body, signed, { secret: `${vector.secret}x`, now })).rejects.toMatchObject({
        reason: 'signature_wrong',
      })
    },
  )
})

describe('a webhook', () => {
  test('is taken while one secret replaces another, whichever the receiver still has', async () => {
    const rotation = vectors.find(({ previous_secret }) => previous_secret)!
    const signed = headers(rotation, rotation.signature_v2)
    for (const secret of [rotation.secret, rotation.previous_secret!, ['another-secret-00', rotation.previous_secret!]])
      await expect(verifyWebhook(rotation.body, signed, { secret, now: at(rotation) })).resolves.toBeDefined()
  })

  test.each([
    ['too_old', 301],
    ['too_new', -301],
  ])('of version 2 is refused as %s beyond the tolerance', async (reason, seconds) => {
    const signed = headers(first, first.signature_v2)
    const now = at(first, seconds)
    await expect(verifyWebhook(first.body, signed, { secret: first.secret, now })).rejects.toMatchObject({ reason })
    await expect(
      verifyWebhook(first.body, signed, { secret: first.secret, now, toleranceSeconds: 400 }),
    ).resolves.toBeDefined()
  })

  test('says what lacks or has another form', async () => {
    const refused = (given: Record<string, string>, body = first.body) =>
      verifyWebhook(body, given, { secret: first.secret, now: at(first) }).catch(({ reason }) => reason as string)
    expect(await refused({})).toBe('signature_missing')
    expect(await refused({ 'x-service-signature': 'v2=ab' })).toBe('signature_malformed')
    expect(await refused({ 'x-service-signature': first.signature_v2 })).toBe('signature_malformed')
    expect(await refused({ 'x-service-signature': 'v1=zz' })).toBe('signature_wrong')
    expect(await refused({ 'x-service-signature': '' })).toBe('signature_missing')
    const signature = `v1=${createHmac('sha256', first.secret).update('no json').digest('hex')}`
    expect(await refused({ 'x-service-signature': signature }, 'no json')).toBe('body_malformed')
  })
})
