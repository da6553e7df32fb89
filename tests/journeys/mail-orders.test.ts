import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { publishedBodies } from '@svc/testing/published-bodies'
import { Api, answered, type SignedUp, signUp } from './merchant.ts'
import { topUp } from './money.ts'

const system = sharedMesh('journeys')
let merchant: SignedUp
let operator: Api
let providers: Api

beforeAll(async () => {
  merchant = await signUp(system.baseUrl)
  await topUp(system, merchant.owner, 10_000_000)
  const anyone = new Api(system.baseUrl)
  const minted = await anyone.bearing(system.adminStaticToken).post('/v1/admin/auth/token')
  operator = anyone.bearing(minted.body.access_token)
  providers = new Api(system.providersUrl)
  const pickup = { address: '12 Marina Road, Lagos' }
  await eventually(async () => answered(200, await merchant.owner.send('PUT', '/v1/me/ingestion/email-a', { pickup })))
})

/** The provider sends a notice, signed as it signs. */
async function emit(body: string, sign = 'good'): Promise<{ status: number; body: any }> {
  const { deliveries } = answered(
    200,
    await providers.post('/__control/emit', { provider: 'email-a', body, sign }),
  ).body
  return { status: deliveries[0].status, body: JSON.parse(deliveries[0].body) }
}

const notice = (emailId: string, attachments: object[] = []) =>
  JSON.stringify({
    type: 'email.received',
    created_at: new Date().toISOString(),
    data: {
      email_id: emailId,
      from: 'Ada <ada@example.test>',
      to: [`store-${merchant.merchantId}@in.example.test`],
      subject: 'New order',
      attachments,
    },
  })

const judged = (id: string) =>
  eventually(async () => {
    const path = `/v1/admin/normalization-jobs?limit=200&merchant_id=${merchant.merchantId}`
    const { items } = answered(200, await operator.get(path)).body
    const found = items.find((job: { id: string; status: string }) => job.id === id && job.status !== 'pending')
    return (found as { status: string; error: string; fields: string[]; order_id: string }) ?? false
  })

describe('a mail', () => {
  test('with labelled lines is its merchant’s order, with what it said in the record', async () => {
    const emailId = randomUUID()
    const text = 'Address: 4 Admiralty Way, Lekki\nPhone: 0803 123 4567'
    answered(200, await providers.post(`/__control/emails/${emailId}`, { subject: 'New order', text }))
    const sent = await eventually(async () => {
      const answer = await emit(notice(emailId))
      return answer.body.status === 'accepted' && answer
    })
    const job = await judged(sent.body.id)
    expect(job).toMatchObject({ status: 'succeeded', fields: [] })
    const order = answered(200, await merchant.owner.get(`/v1/orders/${job.order_id}`)).body.order
    expect(order).toMatchObject({ source: 'email-a', external_order_id: emailId })
    expect(order.unified_json.raw_payload.email_received_body).toMatchObject({ subject: 'New order', text })
  })

  test('that lacks something names it, and its attachment is kept and not read where there is no engine', async () => {
    const emailId = randomUUID()
    const attachment = { id: randomUUID(), filename: 'order.pdf', content_type: 'application/pdf' }
    const content_base64 = Buffer.from('%PDF-1.4\n').toString('base64')
    const received = { text: 'Address: 4 Admiralty Way, Lekki', attachments: [{ ...attachment, content_base64 }] }
    answered(200, await providers.post(`/__control/emails/${emailId}`, received))
    const { body } = await eventually(async () => {
      const answer = await emit(notice(emailId, [attachment]))
      return answer.body.status === 'accepted' && answer
    })
    const job = await judged(body.id)
    expect(job).toMatchObject({ status: 'failed', error: 'needs_details', fields: ['standardized.customer_phone'] })
    const path = `/v1/admin/attachment-ocr-jobs?merchant_id=${merchant.merchantId}`
    const { items } = answered(200, await operator.get(path)).body
    expect(items).toContainEqual(
      expect.objectContaining({
        hook_id: body.id,
        status: 'unavailable',
        error: 'ocr_not_configured',
        file_name: 'order.pdf',
        size_bytes: 9,
      }),
    )
  })
})

const published = publishedBodies('email-a')
const withBodies = published.arePresent ? describe : describe.skip

withBodies('the published bodies', () => {
  const files = published.files.filter((file) => file.endsWith('.json'))

  test.each(files)('%s is answered, and judged with a reason where it is the merchant’s', async (file) => {
    const told = published
      .read(file)
      .toString('utf8')
      .replaceAll('3f0c7f5e-6a53-4c0f-9a53-6d0f1a1f2b3c', merchant.merchantId)
      // Its merchant's own mail, whatever others have sent before.
      .replaceAll(/"email_id": "[^"]+"/g, `"email_id": "${randomUUID()}"`)
    const isOurs = told.includes(merchant.merchantId)
    const { status, body } = await eventually(async () => {
      const answer = await emit(told)
      // A merchant that has just signed up is known a moment later.
      return (!isOurs || answer.body.status !== 'ignored') && answer
    })
    expect([file, status, body.received]).toEqual([file, 200, true])
    if (!isOurs) return expect(body).toMatchObject({ status: 'ignored', reason: expect.any(String) })
    expect(body.status).toBe('accepted')
    expect(await judged(body.id)).toMatchObject({ status: 'failed', error: 'needs_details' })
  })

  test('are believed by nobody’s signature but the provider’s', async () => {
    const told = published.read(files[0]!).toString('utf8')
    for (const sign of ['bad', 'stale', 'none']) expect(await emit(told, sign)).toMatchObject({ status: 401 })
  })
})
