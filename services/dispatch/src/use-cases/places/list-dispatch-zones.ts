import { type By, merchantNamed } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { type Area, findAreas } from '../../db/areas.ts'
import { merchantOf } from '../remember-merchant.ts'

/** The zones of a merchant: its own, or for operators those of the one they name. */
export async function listDispatchZones(ctx: Context, by: By, named: string | undefined): Promise<Area[]> {
  const merchantId = merchantNamed(by, named)
  if (by.scope === 'every tenant') await merchantOf(ctx, merchantId)
  return findAreas(ctx.reads.in(by.scope), { merchantId })
}
