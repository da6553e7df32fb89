import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { placeHold } from '../../db/holds.ts'
import { openWallet } from '../../db/open-wallet.ts'
import {
  heldOf,
  isSaas,
  keepParts,
  neededNothing,
  recordNothing,
  type ShipmentPart,
  shipmentOf,
} from '../../db/shipment-holds.ts'
import type { Owner } from '../../domain/operation.ts'

interface NewShipmentHold {
  opKey: string
  shipmentId: string
  merchantId: string
  isTest: boolean
  parts: readonly ShipmentPart[]
}

export interface PlacedShipmentHold {
  /** What is held; null where the merchant has not as much. */
  heldMinor: number | null
  requiredMinor?: number | undefined
  balanceMinor?: number | undefined
}

/**
 * Puts the sum of the parts aside, of one shipment once at a time, or answers what is missing: a refusal stands for its key
 * alone, and a key that was given up never holds anything. A merchant of the SaaS tier holds nothing.
 */
export async function placeShipmentHold(
  ctx: Context,
  _by: By,
  { opKey, shipmentId, merchantId, isTest, parts }: NewShipmentHold,
): Promise<PlacedShipmentHold> {
  return ctx.transact('every tenant', async (tx) => {
    const heldMinor = await heldOf(tx, shipmentId)
    if (heldMinor !== null) return { heldMinor }
    if (await neededNothing(tx, opKey)) return { heldMinor: 0 }
    const paying = parts.filter((part) => part.amountMinor > 0)
    const amountMinor = paying.reduce((sum, part) => sum + part.amountMinor, 0)
    if (amountMinor === 0 || (await isSaas(tx, merchantId))) {
      await recordNothing(tx, opKey, merchantId)
      return { heldMinor: 0 }
    }
    const payer: Owner = { kind: 'merchant', id: merchantId }
    const { currency } = await openWallet(ctx, tx, { owner: payer, isTest })
    const subject = shipmentOf(shipmentId)
    const { outcome, result } = await placeHold(tx, {
      opKey,
      subject,
      merchantId,
      isTest,
      currency,
      payer,
      entryType: 'shipment_hold',
      amountMinor,
      about: { shipment_id: shipmentId },
    })
    if (outcome === 'declined')
      return { heldMinor: null, requiredMinor: result?.required_minor, balanceMinor: result?.balance_minor }
    await keepParts(tx, shipmentId, paying)
    return { heldMinor: amountMinor }
  })
}
