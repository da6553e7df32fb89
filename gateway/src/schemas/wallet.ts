import { timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { minor, page } from './pieces.ts'

/** What an owner has: the balance is what can be spent and what is put aside. */
export const wallet = z
  .strictObject({
    id: uuid,
    balance_minor: z.int().meta({ description: 'available_minor + held_minor' }),
    available_minor: z.int().meta({ description: 'What can be spent' }),
    held_minor: minor.meta({ description: 'What is put aside for withdrawals and commissions' }),
    currency: z.string(),
    updated_at: timestamp,
  })
  .meta({ id: 'Wallet' })

const ENTRY_TYPES = [
  'topup',
  'commission_debit',
  'commission_credit',
  'commission_hold',
  'commission_released',
  'shipment_hold',
  'shipment_release',
  'withdrawal_reserve',
  'withdrawal_reversal',
  'withdrawal_paid',
  'subscription',
  'refund',
  'adjustment',
] as const

const ledgerEntry = z
  .strictObject({
    id: uuid,
    wallet_id: uuid,
    entry_type: z.enum(ENTRY_TYPES),
    direction: z.enum(['credit', 'debit']),
    amount_minor: minor,
    currency: z.string(),
    balance_after_minor: z.int().meta({ description: 'Available after this entry' }),
    order_id: uuid.nullable(),
    shipment_id: uuid.nullable(),
    withdrawal_id: uuid.nullable(),
    reference: z.string().nullable(),
    description: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'LedgerEntry' })

const entries = page('ledger_transactions', ledgerEntry)

/** A wallet with a page of its entries. */
export const statement = z.strictObject({ wallet, ...entries.shape })

/** The same as operators read it. */
export const adminStatement = z.strictObject({ wallet, merchant_id: uuid, ...page('items', ledgerEntry).shape })

export const ESCROW_TYPES = ['commission_hold', 'commission_released'] as const

export const escrowList = page(
  'items',
  z
    .strictObject({
      id: uuid,
      order_id: uuid,
      entry_type: z.enum(ESCROW_TYPES),
      amount_minor: minor,
      currency: z.string(),
      rider_id: uuid.nullable(),
      created_at: timestamp,
    })
    .meta({ id: 'EscrowEntry' }),
)

/** Where the payer's browser goes after a checkout; which addresses are admissible is judged where it is kept. */
export const callbackUrl = z.url('must be an address').max(2048).nullish().meta({ description: 'https' })

/** A checkout at the payment provider. */
export const checkout = {
  reference: z.string(),
  authorization_url: z.string().meta({ description: 'Where the payer pays' }),
  access_code: z.string(),
  amount_minor: minor,
}
