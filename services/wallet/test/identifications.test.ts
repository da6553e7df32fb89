import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { type ErrorCode, ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually } from '@svc/testing'
import { FOREIGN_SIGNATURE, type PaymentMesh, paymentMesh } from './payment-mesh.ts'

let mesh: PaymentMesh
beforeAll(async () => {
  mesh = await paymentMesh({ PAYMENT_SWEEP_INTERVAL_MS: '1s' })
})
afterEach(() => {
  jest.restoreAllMocks()
})
afterAll(() => mesh?.stop())

/** A merchant that operators know as a customer of the provider. */
async function customer() {
  const { id, caller } = await mesh.merchant()
  const code = `CUS_${randomUUID()}`
  await mesh.admin.merchants.as(adminCaller()).updateMerchant({ id, kyb_reference: code, clear_fields: [] })
  const word = (verdict: 'success' | 'failed', more: object = {}) => ({
    event: `customeridentification.${verdict}`,
    data: { customer_id: 82796315, customer_code: code, email: 'email@email.com', ...more },
  })
  return { id, caller, word }
}

const submit = (caller: Caller) => mesh.admin.kyb.as(caller).submitKyb({ payload_json: '{"rc_number":"RC 1"}' })

async function standing(id: string) {
  const { merchant } = await mesh.admin.merchants.as(adminCaller()).getMerchant({ id, include_kyb_payload: false })
  return merchant!
}

const waits = (hookId: string) =>
  eventually(async () => {
    const rows = await mesh.wallet.sql<{ reason: string }>('SELECT reason FROM waiting_hooks WHERE hook_id = $1', [
      hookId,
    ])
    expect(rows).toEqual([{ reason: 'identification' }])
  })

describe('what the payment provider finds of a business', () => {
  test('verifies it once it has submitted, and what comes again or too late changes nothing', async () => {
    const { id, caller, word } = await customer()
    await submit(caller)
    const first = await mesh.handOn(word('success'))
    expect(await mesh.judgement(first)).toMatchObject({ outcome: 'applied' })
    expect(await standing(id)).toMatchObject({ kyb_status: 'verified', business_approval_status: 'pending' })
    for (const verdict of ['success', 'failed'] as const)
      expect(await mesh.judgement(await mesh.handOn(word(verdict)))).toMatchObject({
        outcome: 'ignored',
        reason: 'not_pending',
      })
    await mesh.handOn(word('success'), { hookId: first, version: 2 })
    expect(await mesh.judgement(first, 2)).toMatchObject({ outcome: 'ignored', reason: 'not_pending' })
    expect(await standing(id)).toMatchObject({ kyb_status: 'verified' })
  })

  test('rejects it with the reason, and a word on what it submitted before rejects nothing', async () => {
    const { id, caller, word } = await customer()
    await submit(caller)
    const reason = 'Account number or BVN is incorrect'
    const asked = new Date()
    expect(await mesh.judgement(await mesh.handOn(word('failed', { reason })))).toMatchObject({ outcome: 'applied' })
    expect(await standing(id)).toMatchObject({ kyb_status: 'rejected', kyb_notes: reason })
    await submit(caller)
    const late = await mesh.handOn(word('failed'), { receivedAt: asked })
    expect(await mesh.judgement(late)).toMatchObject({ outcome: 'ignored', reason: 'of_an_earlier_submission' })
    expect(await mesh.judgement(await mesh.handOn(word('success')))).toMatchObject({ outcome: 'applied' })
    expect(await standing(id)).toMatchObject({ kyb_status: 'verified' })
  })

  test('waits for a business that has yet to submit', async () => {
    const { id, caller, word } = await customer()
    const early = await mesh.handOn(word('success'))
    await waits(early)
    await submit(caller)
    expect(await mesh.judgement(early)).toMatchObject({ outcome: 'applied' })
    expect(await standing(id)).toMatchObject({ kyb_status: 'verified' })
  })

  test('waits a day for a business that is the customer, and is refused then', async () => {
    const { word } = await customer()
    const nobody = word('success', { customer_code: `CUS_${randomUUID()}` })
    const hook = await mesh.handOn(nobody)
    await waits(hook)
    await mesh.wallet.sql(
      "UPDATE waiting_hooks SET waiting_since = waiting_since - interval '25 hours', retry_at = app_now() WHERE hook_id = $1",
      [hook],
    )
    expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'refused', reason: 'unmatched' })
  })

  test('that admin refuses ends as a dead letter with the code of the refusal', async () => {
    const { word } = await customer()
    // A word to us, and more than admin takes.
    const hook = await mesh.handOn(word('success', { customer_code: `CUS_${'x'.repeat(220)}` }))
    expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'refused', reason: 'admin_validation_error' })
    expect(await mesh.wallet.sql('SELECT FROM waiting_hooks WHERE hook_id = $1', [hook])).toEqual([])
  })

  test('waits on where admin refuses us and not the word: not let in, or asked too often', async () => {
    const { id, caller, word } = await customer()
    await submit(caller)
    const refusals: ErrorCode[] = ['unauthorized', 'forbidden', 'rate_limited']
    const kyb = mesh.wallet.context.kyb!
    const asking = jest.spyOn(kyb, 'as')
    for (const code of refusals)
      asking.mockReturnValueOnce({
        recordIdentification: () => Promise.reject(new ServiceError(code)),
      } as unknown as ReturnType<typeof kyb.as>)
    const hook = await mesh.handOn(word('success'))
    for (let asked = 1; asked <= refusals.length; asked++) {
      await eventually(() => expect(asking).toHaveBeenCalledTimes(asked))
      await mesh.wallet.sql('UPDATE waiting_hooks SET retry_at = app_now() WHERE hook_id = $1', [hook])
    }
    expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'applied' })
    expect(await standing(id)).toMatchObject({ kyb_status: 'verified' })
  })

  test('is about nobody by the address to which it came, nor by a signature that is not the platform’s', async () => {
    const [one, other] = [await customer(), await customer()]
    for (const { caller } of [one, other]) await submit(caller)
    const elsewhere = await mesh.handOn(one.word('success'), { merchantId: other.id })
    expect(await mesh.judgement(elsewhere)).toMatchObject({ outcome: 'refused', reason: 'tenant_mismatch' })
    const own = await mesh.handOn(one.word('success'), { merchantId: one.id, signature: FOREIGN_SIGNATURE })
    expect(await mesh.judgement(own)).toMatchObject({ outcome: 'ignored', reason: 'account_of_merchant' })
    const forged = await mesh.handOn(one.word('success'), { signature: FOREIGN_SIGNATURE })
    expect(await mesh.judgement(forged)).toMatchObject({ outcome: 'refused', reason: 'untrusted_signature' })
    const rehearsed = await mesh.handOn(one.word('success', { domain: 'test' }))
    expect(await mesh.judgement(rehearsed)).toMatchObject({ outcome: 'refused', reason: 'wrong_mode' })
    for (const { id } of [one, other]) expect(await standing(id)).toMatchObject({ kyb_status: 'pending_review' })
  })

  test('takes effect once where the process dies after admin has taken it over', async () => {
    const { id, caller, word } = await customer()
    await submit(caller)
    mesh.crashAt('identification.recorded')
    const hook = await mesh.handOn(word('success'))
    await eventually(async () => (await standing(id)).kyb_status === 'verified')
    await mesh.wallet.sql('UPDATE waiting_hooks SET retry_at = app_now() WHERE hook_id = $1', [hook])
    expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'ignored', reason: 'not_pending' })
    expect(await standing(id)).toMatchObject({ kyb_status: 'verified', business_approval_status: 'pending' })
  })
})
