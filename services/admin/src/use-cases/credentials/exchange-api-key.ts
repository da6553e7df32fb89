import type { Tenant } from '@svc/database'
import type { Context } from '../../context.ts'
import { findHolder } from '../../db/holders.ts'
import { unauthorized } from '../../domain/unauthorized.ts'
import { openSession } from '../../security/open-session.ts'
import { type TokenPair, tokenPair } from '../../security/token-pair.ts'
import { assertAlive } from './assert-alive.ts'

/** Starts a refresh family for an API key. A token is no key: it cannot make further ones. */
export async function exchangeApiKey(
  ctx: Context,
  tenant: Tenant,
  caller: { credential?: string; sessionId?: string },
): Promise<TokenPair> {
  const { credential, sessionId } = caller
  if (!credential?.startsWith('key:') || sessionId) throw unauthorized('invalid')
  const { session, holder } = await ctx.transact({ ...tenant, isTest: null }, async (tx) => {
    const found = await findHolder(tx.em, tenant, credential)
    if (!found) throw unauthorized('invalid')
    await assertAlive(tx.em, found)
    return { session: openSession(tx, ctx.config, found), holder: found }
  })
  return tokenPair(ctx, session, holder)
}
