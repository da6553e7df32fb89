import type { By } from '@svc/grpc'
import { uuidField } from '@svc/inputs'
import type { Context } from '../context.ts'
import { environmentOf } from '../db/wallets.ts'
import { listFunds } from './list-funds.ts'

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
export async function checkFunds(ctx: Context, by: By, asked: Asked): Promise<Funds> {
  const { scope } = by
  const isService = scope === 'every tenant'
  const merchantId = isService ? uuidField('merchant_id', asked.merchantId) : scope.merchantId
  const isTest = isService ? (asked.isTest ?? false) : environmentOf(scope)
  const [funds] = await listFunds(ctx, by, [{ merchantId, isTest }])
  const { available_minor: availableMinor, currency } = funds!
  return { sufficient: availableMinor >= asked.requiredMinor, availableMinor, currency }
}
