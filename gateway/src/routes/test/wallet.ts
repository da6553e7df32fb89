import * as z from 'zod'
import { merchant, reply, viewedRoute } from '../../http/route.ts'
import { minor } from '../../schemas/pieces.ts'
import { wallet } from '../../schemas/wallet.ts'
import { present } from '../../views/or-null.ts'
import { walletView } from '../../views/wallet.ts'

export const testWallet = [
  viewedRoute({
    method: 'PUT',
    path: '/v1/test/wallet',
    operationId: 'setTestWallet',
    tag: 'Simulator',
    summary: 'Set the balance of the sandbox wallet',
    auth: merchant('orders:write'),
    testOnly: true,
    body: z.object({ balance_minor: minor }),
    replies: { 200: z.strictObject({ wallet }) },
    errors: ['test_mode_required'],
    async handle({ body }, services) {
      const set = await services.wallet.setTestWallet({ balance_minor: body.balance_minor })
      return reply(200, { wallet: walletView(present(set.wallet)) })
    },
  }),
]
