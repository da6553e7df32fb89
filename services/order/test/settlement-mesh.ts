import { randomUUID } from 'node:crypto'
import { CommissionServiceService, type EffectiveCommissionSettings } from '@svc/contracts/wallet/v1/commission_service'
import { PayoutServiceService } from '@svc/contracts/wallet/v1/payout_service'
import { type Caller, systemCaller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, TEST_SECRET, testClient } from '@svc/testing'
import { merchantOwner, startWallet } from '../../wallet/test/start-wallet.ts'
import type { Context } from '../src/context.ts'
import { type CarriedOrder, settleKey } from '../src/domain/commission.ts'
import { connectWallet, type Wallet } from '../src/peers/wallet.ts'
import { acceptance, creation, orderMesh, summary } from './order-mesh.ts'

type Calls = keyof Wallet
/** A call that never arrives; one that takes effect unheard; one whose answer comes when the promise resolves. */
type Fault = 'unreachable' | 'reply lost' | Promise<void> | Instead
/** What is done in the place of the call. */
type Instead = (...args: never[]) => Promise<unknown>

/** The line to a wallet, which fails as told. */
function faulty(wallet: Wallet) {
  const faults = new Map<Calls, Fault[]>()
  const counts = new Map<Calls, number>()
  let isCut = false
  const line = new Proxy(wallet, {
    get(target, name: Calls) {
      const call = target[name].bind(target) as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        counts.set(name, (counts.get(name) ?? 0) + 1)
        const fault = isCut ? 'unreachable' : faults.get(name)?.shift()
        if (fault === 'unreachable') throw new Error('unreachable')
        if (typeof fault === 'function') return (fault as (...args: unknown[]) => Promise<unknown>)(...args)
        const answer = await call(...args)
        if (fault === 'reply lost') throw new Error('the reply was lost')
        await fault
        return answer
      }
    },
  })
  return {
    line,
    /** Faults of the next calls, in turn. */
    fail: (name: Calls, ...next: Fault[]) => void faults.set(name, next),
    cut(is: boolean): void {
      isCut = is
    },
    count: (name: Calls) => counts.get(name) ?? 0,
  }
}

/** Where the order service dies, at the next `times` passes. */
function deaths() {
  const due = new Map<string, number>()
  return {
    at: (name: string, times = 1) => void due.set(name, times),
    failpoint: (name: string): void => {
      const left = due.get(name) ?? 0
      if (left === 0) return
      due.set(name, left - 1)
      throw new Error(`died: ${name}`)
    },
  }
}

/** Whose money a hold is that waits for a rider. */
const RESERVED_OF = "subject_kind = 'assignment' AND state = 'placed' AND payer_id"

/** The order service and the real wallet, each on a database of its own. */
export async function settlementMesh(settings: Record<string, string> = {}, overrides: Partial<Context> = {}) {
  const wallet = await startWallet({ WITHDRAWALS_ENABLED: 'true', WITHDRAWAL_MIN_MINOR: '1' })
  const link = { WALLET_GRPC_ADDRESS: wallet.service.address(), CALLER_SECRET_ORDER_WALLET: TEST_SECRET }
  const connected = connectWallet({
    walletGrpcAddress: link.WALLET_GRPC_ADDRESS,
    walletCallerSecret: TEST_SECRET,
  })
  const payouts = testClient(PayoutServiceService, { address: link.WALLET_GRPC_ADDRESS, to: 'wallet' })
  const commissions = testClient(CommissionServiceService, { address: link.WALLET_GRPC_ADDRESS, to: 'wallet' })
  const line = faulty(connected)
  const death = deaths()
  const orders = await orderMesh(
    { ...link, ...settings },
    { failpoint: death.failpoint, wallet: line.line, ...overrides },
  )

  const effects = (orderId: string) =>
    wallet.sql<{ owner_kind: string; purpose: string; entry_type: string; amount_minor: number }>(
      `SELECT a.owner_kind, a.purpose, l.entry_type, l.amount_minor FROM ledger_lines l
         JOIN accounts a ON a.id = l.account_id JOIN wallet_ops o USING (op_key)
        WHERE l.order_id = $1 ORDER BY l.op_key, l.line_no`,
      [orderId],
    )

  return {
    ...orders,
    wallet,
    line,
    death,
    /** A merchant with a live key and that much money. */
    async merchant(
      balanceMinor: number,
      changes: Partial<EffectiveCommissionSettings> = {},
    ): Promise<Caller & { merchantId: string }> {
      const caller = merchantCaller({ isTest: false })
      const merchantId = caller.merchantId ?? ''
      if (balanceMinor > 0) await wallet.fund(merchantOwner(merchantId), balanceMinor)
      if (Object.keys(changes).length > 0) {
        const { trigger_statuses, ...rest } = changes
        const own = { rules: [], ...rest, ...(trigger_statuses && { trigger_statuses: { values: trigger_statuses } }) }
        await wallet.announceMerchant(merchantId)
        const replace = { merchant_id: merchantId, settings: own }
        await eventually(() => wallet.commission.as(adminCaller()).replaceCommissionSettings(replace))
      }
      return { ...caller, merchantId }
    },
    /** An order that its rider carries. */
    async onBoard(merchant: Caller, record: Record<string, unknown> = {}) {
      const { order } = await orders.orders(merchant).createOrder(creation({}, record))
      const id = order?.id ?? ''
      const rider = summary(randomUUID())
      await orders.fulfilment().commitAssignment(acceptance(id, rider))
      return { id, riderId: rider.id }
    },
    effects,
    /** Gives back as a replica of the wallet does that knows of no reservation in the same call. */
    giveBackOnly: async ({ orderId, merchantId }: CarriedOrder, attempt: number): Promise<unknown> => {
      const { outcome } = await commissions.as(systemCaller('order')).voidCommission({
        op_key: `void:${orderId}:${attempt}`,
        order_id: orderId,
        merchant_id: merchantId,
        settle_op_key: settleKey(orderId, attempt),
      })
      return outcome
    },
    /** Whether the merchant can withdraw the amount: nothing else may reach what a rider is carrying for. */
    async withdraw(merchant: Caller, amount_minor: number): Promise<void> {
      await wallet.sql(
        `INSERT INTO payout_instruments (owner_kind, owner_id, bank_code, account_name, account_last4, recipient_code, is_default)
         VALUES ('merchant', $1, '058', 'Ada', '6789', $2, true) ON CONFLICT DO NOTHING`,
        [merchant.merchantId, `RCP_${merchant.merchantId}`],
      )
      await payouts.as(merchant).requestWithdrawal({ amount_minor })
    },
    /** What the merchant has beside its escrow, reserved or not, and its rider has earned, in minor units. */
    async balances(merchantId: string, riderId: string) {
      // By one statement: a reservation that ends between two would stand in escrow.
      const rows = await wallet.sql<{ owner_kind: string; purpose: string; minor: number }>(
        `SELECT owner_kind::text, purpose::text, balance_minor AS minor FROM accounts WHERE owner_id = ANY ($1) AND NOT is_test
         UNION ALL
         SELECT 'merchant', 'reserved', coalesce(sum(amount_minor), 0)::bigint FROM holds WHERE ${RESERVED_OF} = $2`,
        [[merchantId, riderId], merchantId],
      )
      const of = (kind: string, purpose: string) =>
        rows.find((row) => row.owner_kind === kind && row.purpose === purpose)?.minor ?? 0
      return {
        merchant: of('merchant', 'available') + of('merchant', 'reserved'),
        escrow: of('merchant', 'held') - of('merchant', 'reserved'),
        rider: of('rider', 'available'),
      }
    },
    /** What of a merchant's money waits for riders who carry its orders. */
    async reserved(merchantId: string): Promise<number> {
      const [row] = await wallet.sql<{ minor: number }>(
        `SELECT coalesce(sum(amount_minor), 0)::bigint AS minor FROM holds WHERE ${RESERVED_OF} = $1`,
        [merchantId],
      )
      return row!.minor
    },
    intents: (orderId: string) =>
      orders.rows<{ kind: string; state: string; attempt: number }>(
        `SELECT kind, state, attempt FROM intent WHERE subject_id = $1 AND kind <> 'commission_reserve'
          ORDER BY created_at, kind, attempt`,
        [orderId],
      ),
    async stop() {
      await orders.stop()
      payouts.close()
      commissions.close()
      await connected.stop?.()
      await wallet.stop()
    },
  }
}

export type SettlementMesh = Awaited<ReturnType<typeof settlementMesh>>
