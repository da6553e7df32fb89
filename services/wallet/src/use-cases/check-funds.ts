import type { By } from '@svc/grpc'
import { uuidField } from '@svc/inputs'
import type { Context } from '../context.ts'
import { openWallet } from '../db/open-wallet.ts'
import { environmentOf, findFunds } from '../db/wallets.ts'

interface Asked {
  requiredMinor: number
  /** Whom a service asks about; a merchant asks about itself, whatever it names. */
  merchantId?: string | undefined
  isTest?: boolean | undefined
}

interface Funds {
  sufficient: boolean
  availableMinor: number
  currency: string
}

/** Whether what is available now reaches the amount. A moment later it may not: what counts is the debit itself. */
export async function checkFunds(ctx: Context, { scope }: By, asked: Asked): Promise<Funds> {
  const isService = scope === 'every tenant'
  const merchantId = isService ? uuidField('merchant_id', asked.merchantId) : scope.merchantId
  const isTest = isService ? (asked.isTest ?? false) : environmentOf(scope)
  const owner = { kind: 'merchant', id: merchantId } as const
  const known = await findFunds(ctx.database.worker, owner, isTest)
  const { available_minor: availableMinor, currency } =
    known ?? (await ctx.transact('every tenant', (tx) => openWallet(ctx, tx, { owner, isTest })))
  return { sufficient: availableMinor >= asked.requiredMinor, availableMinor, currency }
}
