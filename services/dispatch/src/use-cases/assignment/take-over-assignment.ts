import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import { OFFER } from '../../db/offers.ts'
import type { Offer } from '../../domain/offer.ts'
import { lease } from './lease.ts'
import { settleAssignment } from './settle-assignment.ts'

/** Finishes the assignment whose lease ended first; false when none is left unfinished. */
export async function takeOverAssignment(ctx: Context): Promise<boolean> {
  const abandoned = await ctx.transact('every tenant', async (tx) => {
    const { rows } = await tx.sql<Offer>(
      `SELECT ${OFFER} FROM dispatch_offers o WHERE state = 'accepting' AND lease_until <= $1
        ORDER BY lease_until LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [tx.now],
    )
    if (rows[0]) await lease(tx, rows[0].id, { id: randomUUID() })
    return rows[0]
  })
  if (!abandoned) return false
  await settleAssignment(ctx, abandoned)
  return true
}
