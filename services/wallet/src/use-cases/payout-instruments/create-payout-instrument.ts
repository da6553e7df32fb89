import { ServiceError, validationError } from '@svc/errors'
import type { By, Caller } from '@svc/grpc'
import { PaymentRefusedError, type Payments, type Recipient } from '@svc/payments'
import type { Context } from '../../context.ts'
import { openWallet } from '../../db/open-wallet.ts'
import {
  clearDefault,
  insertPayoutInstrument,
  listPayoutInstruments,
  lockPayoutInstruments,
  type PayoutInstrumentRow,
} from '../../db/payout-instruments.ts'
import type { Owner } from '../../domain/operation.ts'
import { ownerOf } from '../../domain/owner.ts'
import { freezeFrom } from '../../domain/payout-freeze.ts'
import { payoutInstrumentAudit } from '../../events.ts'
import { announceChange } from './mail-change.ts'

const MAX_INSTRUMENTS = 10

interface BankAccount {
  bankCode: string
  accountNumber: string
  /** Absent: as the bank knows the account. */
  accountName?: string | undefined
}

interface Wanted extends BankAccount {
  isDefault: boolean
}

/**
 * Registers a bank account with the provider and keeps what names it there; its number is not stored. The first of an
 * owner is the default. A rider, and a merchant that had one before, withdraws nothing for a while from then on.
 */
export const createPayoutInstrument = (ctx: Context, by: By, wanted: Wanted): Promise<PayoutInstrumentRow> =>
  addPayoutInstrument(ctx, by.caller, ownerOf(by), wanted)

/** The same for an owner who does not ask for it: demonstration data. */
export async function addPayoutInstrument(
  ctx: Context,
  caller: Caller,
  owner: Owner,
  wanted: Wanted,
): Promise<PayoutInstrumentRow> {
  if (!ctx.payments) throw new ServiceError('payments_not_configured')
  const currency = await ctx.transact('every tenant', async (tx) => {
    requireRoom(await listPayoutInstruments(tx.sql, owner))
    return (await openWallet(ctx, tx, { owner, isTest: false })).currency
  })
  const action = 'payout_instrument.create'
  const accountName = wanted.accountName ?? (await nameOf(ctx.payments, wanted))
  const recipient = await register(ctx.payments, { ...wanted, accountName }, currency)
  ctx.failpoint('payout_instrument.registered')

  return ctx.transact('every tenant', async (tx) => {
    await lockPayoutInstruments(tx, owner)
    const others = await listPayoutInstruments(tx.sql, owner)
    requireRoom(others)
    const isFirst = others.length === 0
    const isDefault = wanted.isDefault || isFirst
    if (isDefault) await clearDefault(tx, owner)
    const instrument = await insertPayoutInstrument(tx, {
      owner,
      bankCode: wanted.bankCode,
      bankName: recipient.bankName,
      accountName,
      accountLast4: wanted.accountNumber.slice(-4),
      recipientCode: recipient.recipientCode,
      isDefault,
      frozenUntil: freezeFrom(owner.kind, isFirst, tx.now, ctx.config.payoutFreezeHours),
    })
    if (!instrument) throw new ServiceError('already_exists', { details: { field: 'account_number' } })
    tx.publish(payoutInstrumentAudit(caller, action, owner, instrument))
    await announceChange(ctx, tx, { action, owner, instrument, isFirst })
    return instrument
  })
}

function requireRoom(instruments: readonly PayoutInstrumentRow[]): void {
  if (instruments.length < MAX_INSTRUMENTS) return
  throw new ServiceError('limit_reached', { details: { limit: MAX_INSTRUMENTS } })
}

async function nameOf(payments: Payments, { accountNumber, bankCode }: BankAccount): Promise<string> {
  const name = await payments.resolveAccount({ accountNumber, bankCode })
  if (name === null) throw unknownAccount('the bank knows no such account')
  return name
}

async function register(
  payments: Payments,
  { accountName, accountNumber, bankCode }: BankAccount & { accountName: string },
  currency: string,
): Promise<Recipient> {
  try {
    return await payments.createRecipient({ name: accountName, accountNumber, bankCode, currency })
  } catch (error) {
    if (error instanceof PaymentRefusedError) throw unknownAccount('the payment provider does not accept the account')
    throw error
  }
}

const unknownAccount = (why: string) =>
  validationError([{ field: 'account_number', rule: 'known', message: `account_number: ${why}.` }])
