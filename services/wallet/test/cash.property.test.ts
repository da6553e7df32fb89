import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { CashServiceService } from '@svc/contracts/wallet/v1/cash_service'
import { systemCaller } from '@svc/grpc'
import { adminCaller, merchantCaller, riderCaller, testClient } from '@svc/testing'
import fc from 'fast-check'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { startWallet, type TestWallet } from './start-wallet.ts'

const RUNS = Number(process.env['CASH_RUNS'] ?? 12)

let wallet: TestWallet
let client: ReturnType<typeof testClient<typeof CashServiceService>>
/** How many replies are lost before the caller hears one. */
let losses = 0
beforeAll(async () => {
  const failpoint = (name: string): void => {
    if (name !== 'remittance decided' || losses === 0) return
    losses -= 1
    throw new Error('the reply was lost')
  }
  wallet = await startWallet({}, { failpoint })
  client = testClient(CashServiceService, { address: wallet.service.address(), to: 'wallet' })
})
afterAll(async () => {
  client.close()
  await wallet.stop()
})

const amount = fc.integer({ min: 1, max: 900 })
const command = fc.oneof(
  fc.record({ do: fc.constant('collect' as const), amount, again: fc.boolean() }),
  fc.record({ do: fc.constant('declare' as const), amount }),
  fc.record({
    do: fc.constant('confirm' as const),
    nth: fc.nat(5),
    share: fc.integer({ min: 1, max: 4 }),
    lost: fc.boolean(),
  }),
  fc.record({ do: fc.constant('dispute' as const), nth: fc.nat(5), byRider: fc.boolean() }),
  fc.record({ do: fc.constant('withdraw' as const), nth: fc.nat(5) }),
  fc.record({ do: fc.constant('resolve' as const), nth: fc.nat(5), share: fc.integer({ min: 0, max: 4 }) }),
)

interface Model {
  collected: number
  remitted: number
  remittances: Array<{ id: string; status: string; declared: number; received: number }>
}

/** The call's own answer, or null where it is refused for what the request asks. */
const unlessRefused = async <T>(call: Promise<T>): Promise<T | null> =>
  call.catch((error: { code?: string }) => {
    if (['validation_error', 'invalid_state', 'limit_reached'].includes(error.code ?? '')) return null
    throw error
  })

test(
  'whatever is collected, declared, confirmed, taken back, contradicted, decided and repeated: every sum is exact',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), async (commands) => {
        const merchant = merchantCaller({ isTest: false })
        const merchant_id = merchant.merchantId as string
        const rider_id = randomUUID()
        const [asMerchant, asRider] = [client.as(merchant), client.as(riderCaller(rider_id))]
        const operator = client.as(adminCaller({ permissions: ['admin.withdrawals.write'] }))
        const model: Model = { collected: 0, remitted: 0, remittances: [] }
        const waiting = () => model.remittances.filter(({ status }) => status === 'declared' || status === 'disputed')
        const open = () => waiting().reduce((sum, { declared, received }) => sum + declared - received, 0)

        for (const one of commands) {
          if (one.do === 'collect') {
            const order_id = randomUUID()
            const request = { op_key: `cash:${order_id}`, order_id, merchant_id, rider_id, is_test: false }
            const collect = () => client.as(systemCaller('order')).collectCash({ ...request, amount_minor: one.amount })
            await Promise.all(one.again ? [collect(), collect()] : [collect()])
            model.collected += one.amount
            continue
          }
          if (one.do === 'declare') {
            const declared = await unlessRefused(asRider.declareRemittance({ merchant_id, amount_minor: one.amount }))
            const isRoom = waiting().length < 20
            expect(declared !== null).toBe(isRoom && one.amount <= model.collected - model.remitted - open())
            if (declared)
              model.remittances.push({
                id: declared.remittance!.id,
                status: 'declared',
                declared: one.amount,
                received: 0,
              })
            continue
          }
          const known = model.remittances[one.nth % Math.max(1, model.remittances.length)]
          if (!known) continue
          const { id } = known
          if (one.do === 'confirm') {
            const received_minor = Math.max(1, Math.floor((known.declared * one.share) / 4))
            const call = () => asMerchant.confirmRemittance({ id, received_minor, reason: 'counted' })
            losses = one.lost ? 1 : 0
            if (one.lost) await call().catch(() => undefined)
            losses = 0
            const answer = await unlessRefused(call())
            // What was contradicted and decided meanwhile may leave too little in hand.
            const fits = received_minor <= model.collected - model.remitted
            const isRepeat = known.status === 'confirmed' && known.received === received_minor
            expect(answer !== null).toBe(isRepeat || (known.status === 'declared' && fits))
            if (answer && !isRepeat) {
              model.remitted += received_minor
              Object.assign(known, { status: 'confirmed', received: received_minor })
            }
          } else if (one.do === 'dispute') {
            const answer = await unlessRefused(
              (one.byRider ? asRider : asMerchant).disputeRemittance({ id, reason: 'no' }),
            )
            const missing = known.declared - known.received
            const isShort = known.status === 'confirmed' && missing > 0
            const fits = missing <= model.collected - model.remitted - open()
            const mayBe = ['declared', 'disputed'].includes(known.status) || (one.byRider && isShort && fits)
            expect(answer !== null).toBe(mayBe)
            if (answer) known.status = 'disputed'
          } else if (one.do === 'withdraw') {
            const answer = await unlessRefused(asRider.withdrawRemittance({ id }))
            expect(answer !== null).toBe(['declared', 'withdrawn'].includes(known.status))
            if (answer) known.status = 'withdrawn'
          } else {
            const received_minor = Math.floor((known.declared * one.share) / 4)
            const answer = await unlessRefused(operator.resolveRemittance({ id, received_minor, reason: 'decided' }))
            const inHand = model.collected - model.remitted
            const moved = received_minor - known.received
            const fits = moved >= 0 && moved <= inHand
            const isRepeat = known.status === 'resolved' && known.received === received_minor
            const isShort = known.status === 'confirmed' && known.received < known.declared && moved <= inHand - open()
            expect(answer !== null).toBe(isRepeat || ((known.status === 'disputed' || isShort) && fits))
            if (answer && !isRepeat) {
              model.remitted += received_minor - known.received
              Object.assign(known, { status: 'resolved', received: received_minor })
            }
          }
        }
        const { totals } = await asMerchant.getCashStatement({ limit: 0, offset: 0 })
        const [total = { collected_minor: 0, remitted_minor: 0, in_hand_minor: 0 }] = totals
        expect([total.collected_minor, total.remitted_minor, total.in_hand_minor]).toEqual([
          model.collected,
          model.remitted,
          model.collected - model.remitted,
        ])
        await expectLedgerHolds(wallet.sql, [merchant_id])
      }),
      { numRuns: RUNS },
    )
  },
  120_000 + RUNS * 20_000,
)
