import type { CreateTopupIntentResponse } from '@svc/contracts/wallet/v1/topup_service'
import type { EscrowEntry, LedgerEntry, Wallet } from '@svc/contracts/wallet/v1/wallet'
import type { GetWalletResponse } from '@svc/contracts/wallet/v1/wallet_service'
import { formed, maybe } from '@svc/inputs'
import { fieldsOf, id, instant, minor, orNull, page, required, whole, words } from '@svc/public-bodies'
import * as z from 'zod'

/** What an owner has: the balance is what can be spent and what is put aside. */
export const wallet = z
  .object(
    fieldsOf<Wallet>()({
      id,
      balance_minor: whole.meta({ description: 'available_minor + held_minor' }),
      available_minor: whole.meta({ description: 'What can be spent' }),
      held_minor: minor.meta({ description: 'What is put aside for withdrawals and commissions' }),
      currency: z.string(),
      updated_at: instant,
    }),
  )
  .meta({ id: 'Wallet' })

const entryType = words(
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
)

const ledgerEntry = z
  .object(
    fieldsOf<LedgerEntry>()({
      id,
      wallet_id: id,
      entry_type: entryType,
      direction: words('credit', 'debit'),
      amount_minor: minor,
      currency: z.string(),
      balance_after_minor: whole.meta({ description: 'Available after this entry' }),
      order_id: orNull(id),
      shipment_id: orNull(id),
      withdrawal_id: orNull(id),
      reference: orNull(z.string()),
      description: orNull(z.string()),
      created_at: instant,
    }),
  )
  .meta({ id: 'LedgerEntry' })

/** A wallet with a page of its entries. */
export const statement = z.object({ wallet, ...page('ledger_transactions', ledgerEntry).shape })

/** The same as operators read it. */
export const adminStatement = z.object({ wallet, merchant_id: id, ...page('items', ledgerEntry).shape })

export const statementOf = (found: GetWalletResponse) => ({ ...found, wallet: required(found.wallet) })

export const ESCROW_TYPES = ['commission_hold', 'commission_released'] as const

export const escrowList = page(
  'items',
  z
    .object(
      fieldsOf<EscrowEntry>()({
        id,
        order_id: id,
        entry_type: words(...ESCROW_TYPES),
        amount_minor: minor,
        currency: z.string(),
        rider_id: orNull(id),
        created_at: instant,
      }),
    )
    .meta({ id: 'EscrowEntry' }),
)

/** Where the payer's browser goes after a checkout; which addresses are admissible is judged where it is kept. */
export const callbackUrl = maybe(formed(z.url('must be an address'), 2048)).meta({ description: 'https' })

/** A checkout at the payment provider. */
export const checkout = fieldsOf<CreateTopupIntentResponse>()({
  reference: z.string(),
  authorization_url: z.string().meta({ description: 'Where the payer pays' }),
  access_code: z.string(),
  amount_minor: minor,
})
