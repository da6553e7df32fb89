import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { assertAlive, findHolder } from '../../db/holders.ts'
import { assertSameEpoch } from '../../domain/holder.ts'
import { unauthorized } from '../../domain/unauthorized.ts'
import { openSession } from '../../security/open-session.ts'
import { type TokenPair, tokenPair } from '../../security/token-pair.ts'

/**
 * Starts a refresh family for the API key that calls, in the epoch in which it was judged: the token of a secret that is
 * replaced meanwhile ends with that secret. A token is no key: it cannot make further ones.
 */
export async function exchangeApiKey(ctx: Context, { caller, scope }: By<Tenant>): Promise<TokenPair> {
  const { session, holder, ended } = await ctx.transact({ ...scope, isTest: null }, async (tx) => {
    const found = caller.credential && (await findHolder(tx.em, scope, caller.credential))
    if (!found) throw unauthorized('invalid')
    await assertAlive(tx.em, found)
    assertSameEpoch(found, caller.credentialEpoch)
    return openSession(tx, ctx.config, found)
  })
  await ctx.epochs.publish(ended)
  return tokenPair(ctx, session, holder)
}
