import { setTimeout as wait } from 'node:timers/promises'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { openWallet } from '../db/open-wallet.ts'
import { type AvailableFunds, findFunds, type MerchantWallet } from '../db/wallets.ts'

/** How long those who have a wallet wait for one that is opened first; less than whoever asks waits for them all. */
const OPENING_MS = 1_000

/**
 * What merchants can spend now, in their order; null for one whose wallet could not be opened in time, which is there for
 * who asks again. A moment later it may be less: what counts is the debit itself.
 */
export async function listFunds(
  ctx: Context,
  _by: By,
  wallets: readonly MerchantWallet[],
): Promise<Array<AvailableFunds | null>> {
  const known = await findFunds(ctx.reads, wallets)
  const opening = new Map<string, Promise<AvailableFunds | null>>()
  return Promise.all(
    wallets.map(async (wallet, nth) => {
      if (known[nth]) return known[nth]
      const name = `${wallet.merchantId} ${wallet.isTest}`
      const one = opening.get(name) ?? opened(ctx, wallet)
      opening.set(name, one)
      return one
    }),
  )
}

/** Never fails: no other merchant is to suffer for it. */
async function opened(ctx: Context, { merchantId: id, isTest }: MerchantWallet): Promise<AvailableFunds | null> {
  const late = new AbortController()
  const opening = ctx
    .transact('every tenant', (tx) => openWallet(ctx, tx, { owner: { kind: 'merchant', id }, isTest }))
    .catch((err: unknown) => {
      ctx.logger.warn({ err, merchant_id: id }, 'a wallet could not be opened')
      return null
    })
    .finally(() => late.abort())
  return Promise.race([opening, wait(OPENING_MS, null, { signal: late.signal }).catch(() => opening)])
}
