import { amountMinor } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { wallet } from '../../bodies/wallet.ts'
import { merchant, reply, route } from '../../http/route.ts'

export const routes = [
  route({
    method: 'PUT',
    path: '/v1/test/wallet',
    operationId: 'setTestWallet',
    tag: 'Simulator',
    summary: 'Set the balance of the sandbox wallet',
    description: 'Sandbox only: the balance becomes this amount, and the entry that makes it so is in the ledger.',
    auth: merchant('orders:write'),
    testOnly: true,
    body: z.object({ balance_minor: amountMinor }),
    replies: { 200: z.object({ wallet }) },
    errors: ['test_mode_required'],
    async handle({ body }, services) {
      const set = await services.wallet.setTestWallet({ balance_minor: body.balance_minor })
      return reply(200, { wallet: required(set.wallet) })
    },
  }),
]
