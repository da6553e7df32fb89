import type { By } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import { commissionDefaults } from '../config.ts'
import type { Context } from '../context.ts'
import { findCommissionSettings } from '../db/commission-settings.ts'
import { placeHold, releaseHold } from '../db/holds.ts'
import { openWallet } from '../db/open-wallet.ts'
import {
  commissionStanding,
  lockAvailable,
  moveReservation,
  reservationOf,
  takeCarriedOrder,
} from '../db/reservations.ts'
import { heldFor } from '../db/shipment-holds.ts'
import { type CommissionedOrder, effectiveCommission, planCommission } from '../domain/commission.ts'
import type { Owner } from '../domain/operation.ts'

/** A live order as it is at a version; without a rider where none carries it any more. */
export interface CarriedOrder extends CommissionedOrder {
  orderId: string
  merchantId: string
  version: number
}

/**
 * Puts the commission of an order aside while a rider carries it, or what its merchant has available of it; another
 * rider's is the same hold, and where no rider carries the order it goes back. What is paid or in escrow stays so, and
 * news older than what is known changes nothing.
 */
export async function reserveCommission(ctx: Context, _by: By, order: CarriedOrder): Promise<void> {
  await ctx.transact('every tenant', (tx) => followOrder(ctx, tx, order))
}

/** Does that in a transaction that has more to do about the order. */
export async function followOrder(ctx: Context, tx: Tx, order: CarriedOrder): Promise<void> {
  const { orderId, version, riderId } = order
  if (!(await takeCarriedOrder(tx, orderId, version))) return
  const { reservationId, isSettled } = await commissionStanding(tx, orderId)
  if (riderId === undefined) {
    if (reservationId !== null) await giveBack(tx, order)
  } else if (reservationId !== null) await moveReservation(tx, reservationId, riderId)
  else if (!isSettled) await place(ctx, tx, { ...order, riderId })
}

async function giveBack(tx: Tx, { orderId, version }: CarriedOrder): Promise<void> {
  const subject = reservationOf(orderId)
  await releaseHold(tx, { opKey: `unassign:${orderId}:${version}`, subject, entryType: 'commission_released', orderId })
}

async function place(ctx: Context, tx: Tx, order: CarriedOrder & { riderId: string }): Promise<void> {
  const { orderId, merchantId, version, riderId } = order
  const own = await findCommissionSettings(tx.sql, merchantId)
  const settings = effectiveCommission(own, commissionDefaults(ctx.config))
  const { payer, amountMinor: commissionMinor } = planCommission(order, settings)
  if (!settings.automation || payer !== 'merchant') return
  // What the order's shipment holds for it is out of reach already.
  const wantedMinor = commissionMinor - (await heldFor(tx, orderId))
  const owner: Owner = { kind: 'merchant', id: merchantId }
  const { currency } = await openWallet(ctx, tx, { owner, isTest: false })
  const amountMinor = Math.min(wantedMinor, await lockAvailable(tx, merchantId, currency))
  if (amountMinor <= 0) return
  await placeHold(tx, {
    opKey: `assign:${orderId}:${version}`,
    subject: reservationOf(orderId),
    merchantId,
    isTest: false,
    currency,
    orderId,
    payer: owner,
    beneficiaryId: riderId,
    entryType: 'commission_hold',
    amountMinor,
  })
}
