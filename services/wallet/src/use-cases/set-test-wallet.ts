import { randomUUID } from 'node:crypto'
import { ServiceError, validationError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { openWallet } from '../db/open-wallet.ts'
import { postOperation } from '../db/post-operation.ts'
import { findWallet, lockWallet, type WalletRow } from '../db/wallets.ts'
import { OPERATOR, type Owner } from '../domain/operation.ts'

/** Makes the balance of the caller's sandbox wallet what is asked, by an adjustment; a repeat adjusts nothing. */
export async function setTestWallet(
  ctx: Context,
  { scope: { merchantId, isTest } }: By<Tenant>,
  { balanceMinor }: { balanceMinor: number },
): Promise<WalletRow> {
  if (isTest !== true) throw new ServiceError('test_mode_required')
  const owner: Owner = { kind: 'merchant', id: merchantId }

  return ctx.transact('every tenant', async (tx) => {
    const { id, currency } = await openWallet(ctx, tx, { owner, isTest })
    await lockWallet(tx, id)
    const before = (await findWallet(tx.sql, owner, isTest))!
    const amountMinor = balanceMinor - before.available_minor - before.held_minor
    if (before.available_minor + amountMinor < 0) throw belowHeld(before.held_minor)
    if (amountMinor === 0) return before
    await postOperation(tx, {
      opKey: `test-wallet:${randomUUID()}`,
      kind: 'test_wallet',
      subjectId: null,
      merchantId,
      isTest,
      currency,
      about: { description: 'Sandbox balance set' },
      postings: [
        { owner: OPERATOR, purpose: 'available', entryType: 'adjustment', amountMinor: -amountMinor },
        { owner, purpose: 'available', entryType: 'adjustment', amountMinor },
      ],
    })
    return (await findWallet(tx.sql, owner, isTest))!
  })
}

function belowHeld(heldMinor: number) {
  const message = `balance_minor must not be below what is held, ${heldMinor}.`
  return validationError([{ field: 'balance_minor', rule: 'range', limit: heldMinor, message }])
}
