import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { captureHold, releaseHold } from '../src/db/holds.ts'
import { postOperation } from '../src/db/post-operation.ts'
import { type Decision, type Owner, PROVIDER } from '../src/domain/operation.ts'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { type OpenLedger, openLedger } from './open-ledger.ts'

let ledger: OpenLedger
beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger.close())

const MERCHANTS = 6
const RIDERS = 3
const ORDERS = 300
const FUNDS = 1_000_000

const owners = (kind: 'merchant' | 'rider', count: number) =>
  Array.from({ length: count }, (): Owner => ({ kind, id: randomUUID() }))

const balanceOf = async (all: Owner[]) => {
  const [row] = await ledger.sql<{ total: number }>(
    `SELECT coalesce(sum(balance_minor), 0)::bigint AS total FROM accounts WHERE owner_id = ANY ($1)`,
    [all.map(({ id }) => id)],
  )
  return row!.total
}

function fund(owner: Owner): Promise<Decision> {
  const opKey = `topup:${owner.id}`
  const postings = [
    { owner: PROVIDER, purpose: 'available', entryType: 'topup', amountMinor: -FUNDS },
    { owner, purpose: 'available', entryType: 'topup', amountMinor: FUNDS },
  ] as const
  const operation = { opKey, kind: 'topup', subjectId: opKey, merchantId: owner.id, isTest: false, currency: 'NGN' }
  return ledger.post((tx) => postOperation(tx, { ...operation, postings }))
}

test('settlements, releases and returns that cross each other over the same wallets all end, each order once', async () => {
  const merchants = owners('merchant', MERCHANTS)
  const riders = owners('rider', RIDERS)
  await Promise.all(merchants.map(fund))

  const story = async (n: number): Promise<'paid' | 'returned'> => {
    const orderId = randomUUID()
    const merchant = merchants[n % MERCHANTS]!
    const subject = { kind: 'commission', id: orderId }
    const isHeld = n % 3 !== 0
    const settlement = {
      opKey: `commission:${orderId}:1`,
      orderId,
      merchantId: merchant.id,
      riderId: riders[n % RIDERS]!.id,
      amountMinor: 10,
      currency: 'NGN',
      mode: isHeld ? 'hold_in_escrow' : 'pay',
      payer: merchant,
    } as const
    expect(await ledger.settle(settlement)).toMatchObject({ outcome: 'applied' })
    if (!isHeld) return 'paid'
    const entryType = 'commission_released'
    // Both at once: the first decides where it goes.
    const capture = {
      opKey: `release:${orderId}:1`,
      subject,
      kind: 'commission',
      partId: orderId,
      amountMinor: null,
      riderId: null,
      debitType: entryType,
      creditType: 'commission_credit',
    } as const
    const [captured, returned] = await Promise.all([
      ledger.post((tx) => captureHold(tx, capture)),
      ledger.post((tx) => releaseHold(tx, { opKey: `void:${orderId}:1`, subject, entryType, orderId })),
    ])
    const applied = [captured, returned].filter(({ outcome }) => outcome === 'applied')
    expect(applied).toHaveLength(1)
    return captured.outcome === 'applied' ? 'paid' : 'returned'
  }
  const ends = await Promise.all(Array.from({ length: ORDERS }, (_, n) => story(n)))

  const paidMinor = ends.filter((end) => end === 'paid').length * 10
  expect(await balanceOf(riders)).toBe(paidMinor)
  expect(await balanceOf(merchants)).toBe(MERCHANTS * FUNDS - paidMinor)
  await expectLedgerHolds(ledger.sql)
})
