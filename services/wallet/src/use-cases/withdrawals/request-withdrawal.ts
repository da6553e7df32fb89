import { randomUUID } from 'node:crypto'
import { RequestWithdrawalResponse } from '@svc/contracts/wallet/v1/payout_service'
import { ServiceError, validationError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { type Idempotency, type Tx, withIdempotency } from '@svc/transact'
import type { Context } from '../../context.ts'
import { openWallet } from '../../db/open-wallet.ts'
import { listPayoutInstruments } from '../../db/payout-instruments.ts'
import { reserve } from '../../db/withdrawal-money.ts'
import { enterStatus, insertWithdrawal } from '../../db/withdrawals.ts'
import { requireAmountWithin } from '../../domain/amount.ts'
import type { Owner } from '../../domain/operation.ts'
import { ownerOf } from '../../domain/owner.ts'
import { requireWithdrawalsEnabled, type Withdrawal } from '../../domain/withdrawal.ts'
import { withdrawalAudit } from '../../events.ts'
import { withdrawalMessage } from '../../messages/payout.ts'
import { requireApprovedRider } from '../../peers/rider-kyc.ts'

interface Wanted {
  amountMinor: number
  /** Absent: the default instrument. */
  payoutInstrumentId?: string | undefined
  idempotency?: Idempotency | undefined
}

const ROUTE = 'withdrawals.request'

/** Reserves the amount and leaves a withdrawal for review, once per idempotency key; a refusal changes nothing. */
export async function requestWithdrawal(ctx: Context, by: By, wanted: Wanted): Promise<RequestWithdrawalResponse> {
  const owner = ownerOf(by)
  const { idempotency } = wanted
  requireWithdrawalsEnabled(ctx.config)
  if (owner.kind === 'merchant' && ctx.config.withdrawalsRequireKyb && by.caller.standing?.kybStatus !== 'verified')
    throw new ServiceError('kyb_required')
  if (owner.kind === 'rider' && ctx.config.riderWithdrawalsRequireKyc) await requireApprovedRider(ctx, by)
  const bounds = { min: ctx.config.withdrawalMinMinor, max: Number.MAX_SAFE_INTEGER }
  requireAmountWithin('amount_minor', wanted.amountMinor, bounds)

  const { reply, replayed } = await ctx.transact('every tenant', (tx) =>
    withIdempotency(tx, { merchantId: owner.id, isTest: false }, ROUTE, idempotency, async () => {
      const placed = await place(ctx, tx, owner, wanted)
      tx.publish(withdrawalAudit(by.caller, 'withdrawal.request', undefined, placed))
      const withdrawal = withdrawalMessage(placed)
      return {
        reply: RequestWithdrawalResponse.encode({ withdrawal, replayed: false }).finish(),
        resourceId: withdrawal.id,
      }
    }),
  )
  ctx.failpoint('withdrawal.requested')
  return { ...RequestWithdrawalResponse.decode(reply), replayed }
}

async function place(ctx: Context, tx: Tx, owner: Owner, { amountMinor, payoutInstrumentId }: Wanted) {
  const instrumentId = await usableInstrument(tx, owner, payoutInstrumentId?.toLowerCase())
  const { currency } = await openWallet(ctx, tx, { owner, isTest: false })
  const withdrawal: Withdrawal = await insertWithdrawal(tx, {
    id: randomUUID(),
    ownerKind: owner.kind,
    ownerId: owner.id,
    payoutInstrumentId: instrumentId,
    amountMinor,
    currency,
  })
  await reserve(tx, withdrawal)
  return enterStatus(tx, withdrawal, 'pending_review')
}

async function usableInstrument(tx: Tx, owner: Owner, wantedId: string | undefined): Promise<string> {
  const instruments = await listPayoutInstruments(tx.sql, owner)
  if (instruments.length === 0) throw new ServiceError('payout_instrument_required')
  const chosen = instruments.find(({ id, is_default }) => (wantedId === undefined ? is_default : id === wantedId))
  if (!chosen) {
    const message = 'payout_instrument_id must be one of your payout instruments.'
    throw validationError([{ field: 'payout_instrument_id', rule: 'known', message }])
  }
  const frozenUntilMs = Math.max(...instruments.map(({ frozen_until }) => frozen_until?.getTime() ?? 0))
  if (frozenUntilMs > tx.now.getTime()) {
    const frozen_until = new Date(frozenUntilMs).toISOString()
    throw new ServiceError('withdrawal_frozen', { details: { frozen_until } })
  }
  return chosen.id
}
