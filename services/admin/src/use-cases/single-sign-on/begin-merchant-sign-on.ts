import type { Context } from '../../context.ts'
import { type BegunSignOn, beginSignOn } from '../../security/sign-on.ts'

/** Begins a log-in of whoever has an account with a merchant, for one browser. */
export const beginMerchantSignOn = (ctx: Context): Promise<BegunSignOn> => beginSignOn(ctx, 'merchant')
