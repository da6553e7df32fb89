import { paging, uuid } from '@svc/inputs'
import * as z from 'zod'
import { ESCROW_TYPES, escrowList } from '../../bodies/wallet.ts'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Wallet'
const reading = merchant('orders:read', 'orders:write')

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/escrow-ledger',
    operationId: 'listEscrowLedger',
    tag,
    summary: 'List what went into and out of the escrow of commissions, newest first',
    description: 'Money that is held for riders until their deliveries are paid out. Filter by order or kind of entry.',
    auth: reading,
    query: { ...paging(), order_id: uuid.optional(), entry_type: z.enum(ESCROW_TYPES).optional() },
    replies: { 200: escrowList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.wallet.listEscrowLedger(query))
    },
  }),
]
