import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { adminCaller, onceAvailable } from '@svc/testing'
import { type Admin, loginCaller, signUp as newMerchant, refusal, startAdmin } from './start-admin.ts'

let admin: Admin
beforeAll(async () => {
  admin = await startAdmin({ COMMISSION_DISPUTE_INTAKE_ENABLED: 'on' })
})
afterAll(() => admin?.stop())

/** A merchant with the owner who logged in. */
async function signUp(at: Admin) {
  const merchant = await newMerchant(at)
  return { ...merchant, caller: loginCaller(merchant.merchantId) }
}

const contest = async (caller: Caller, id: string, message = 'I was charged twice') =>
  (await admin.inquiries.as(caller).createCommissionDispute({ ledger_transaction_id: id, message })).inquiry!

describe('an entry of the ledger that a merchant contests', () => {
  test('stands among the inquiries, with the address of the owner and the entry', async () => {
    const { caller, email, merchantId } = await signUp(admin)
    const id = randomUUID()
    const dispute = await contest(caller, id)
    const listed = await admin.inquiries
      .as(adminCaller())
      .listContactInquiries({ limit: 30, offset: 0, email, source: 'commission_dispute' })
    expect(listed.items).toEqual([dispute])
    expect(dispute).toMatchObject({
      source: 'commission_dispute',
      email,
      merchant_id: merchantId,
      message: 'I was charged twice',
      ledger_transaction_id: id,
      review_status: 'open',
    })
  })

  test('is contested once, however often and however much at once', async () => {
    const [{ caller }, { caller: other }] = [await signUp(admin), await signUp(admin)]
    const id = randomUUID()
    const all = await Promise.all(Array.from({ length: 10 }, () => onceAvailable(() => contest(caller, id))))
    expect(new Set(all.map((one) => one.id)).size).toBe(1)
    expect((await contest(other, id)).id).not.toBe(all[0]!.id)
  })

  test('is one of a hundred at most, until an operator has reviewed some', async () => {
    const { caller, merchantId } = await signUp(admin)
    await admin.worker.query(
      `INSERT INTO contact_inquiries (id, merchant_id, source, name, email, review_status, created_at, ledger_transaction_id)
       SELECT gen_random_uuid(), $1, 'commission_dispute', 'Ada', 'a@example.com', 'open', app_now(), gen_random_uuid()
         FROM generate_series(1, 99)`,
      [merchantId],
    )
    const { id } = await contest(caller, randomUUID())
    await expect(contest(caller, randomUUID())).rejects.toEqual(refusal('limit_reached', { limit: 100 }))
    await admin.inquiries.as(adminCaller()).updateContactInquiry({ id, review_status: 'reviewed' })
    expect(await contest(caller, randomUUID())).toMatchObject({ review_status: 'open' })
  })

  test('is contested by a live credential that may write orders: another neither takes a place nor comes before it', async () => {
    const { caller } = await signUp(admin)
    const id = randomUUID()
    await expect(contest({ ...caller, isTest: true }, id)).rejects.toEqual(
      refusal('forbidden', { reason: 'live_mode_required' }),
    )
    await expect(contest({ ...caller, scopes: ['orders:read', 'keys:manage'] }, id)).rejects.toEqual(
      refusal('forbidden', { required: ['orders:write'] }),
    )
    expect(await contest({ ...caller, isTest: false, scopes: ['orders:write'] }, id, 'mine')).toMatchObject({
      message: 'mine',
    })
  })

  test.each([
    ['no id', 'ledger_transaction_id', 'x'],
    [randomUUID(), 'message', ''],
  ])('%s is refused with its field', async (id, field, message) => {
    const { caller } = await signUp(admin)
    await expect(contest(caller, id, message)).rejects.toEqual(refusal('validation_error', { field }))
  })
})

test('nothing is taken in unless the operator has switched it on', async () => {
  const closed = await startAdmin()
  try {
    const { caller } = await signUp(closed)
    await expect(
      closed.inquiries.as(caller).createCommissionDispute({ ledger_transaction_id: randomUUID(), message: 'x' }),
    ).rejects.toEqual(refusal('feature_disabled'))
  } finally {
    await closed.stop()
  }
})
