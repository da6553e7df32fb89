import { consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import type { Verdict } from '../db/judge-hook.ts'
import { judgeHook } from '../use-cases/judge-hook.ts'
import { orderBesideMoney } from '../use-cases/order-beside-money.ts'

const STATE_OF: Readonly<Record<string, Verdict['state']>> = { applied: 'applied', ignored: 'ignored', refused: 'dead' }

/** Learns what the wallet did about a hook. */
export const onHookJudged = consumer({
  name: 'hook-judged',
  of: ['wallet.hook_judged'],
  async handle({ message, aggregateVersion, merchantId }, tx, ctx: Context) {
    const { hook_id: hookId, outcome, reason = null } = message
    const state = STATE_OF[outcome]
    if (state === undefined) throw new TypeError(`no outcome of a hook is called ${outcome}`)
    const left = await orderBesideMoney(ctx, tx, { hookId, attempt: aggregateVersion, state, reason, merchantId })
    if (left) await judgeHook(ctx, tx, left)
  },
})
