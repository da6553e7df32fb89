import { uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { newPayoutInstrument, payoutInstrument } from '../../bodies/payout.ts'
import { PROVIDER_DEADLINE_MS } from '../../http/provider-deadline.ts'
import { type Route, reply, route } from '../../http/route.ts'

import { MERCHANT, type Owner } from '../../http/wallet-owner.ts'

/** Where an owner of a wallet says to which bank accounts it may be paid. */
export const payoutInstrumentsOf = ({ base, tag, reading, writing, named }: Owner): Route[] => [
  route({
    method: 'GET',
    path: `${base}/payout-instruments`,
    operationId: named('listPayoutInstruments'),
    tag,
    summary: 'List bank accounts to which withdrawals may go, newest first',
    description:
      'All of them at once; of an account number only the last four digits are told. Until `frozen_until` nothing is paid out. Test credentials have none.',
    auth: reading,
    replies: { 200: z.object({ items: z.array(payoutInstrument) }) },
    errors: [],
    async handle(_input, services) {
      return reply(200, await services.payout.listPayoutInstruments({}))
    },
  }),
  route({
    method: 'POST',
    path: `${base}/payout-instruments`,
    operationId: named('createPayoutInstrument'),
    tag,
    summary: 'Add a bank account',
    description:
      'Withdrawals are frozen for a day from then on, but by the first account of a merchant, whose owner gets a mail about any further one. Live credentials only.',
    auth: writing,
    deadlineMs: PROVIDER_DEADLINE_MS,
    body: newPayoutInstrument,
    replies: { 201: payoutInstrument },
    errors: ['already_exists', 'limit_reached', 'payments_not_configured'],
    async handle({ body }, services) {
      const request = { ...body, is_default: body.is_default ?? false }
      const created = await services.payout.createPayoutInstrument(request)
      return reply(201, required(created.payout_instrument))
    },
  }),
  route({
    method: 'PATCH',
    path: `${base}/payout-instruments/{id}`,
    operationId: named('setDefaultPayoutInstrument'),
    tag,
    summary: 'Make a bank account the default',
    description:
      'Withdrawals are frozen for a day from then on, but by the first account of a merchant, whose owner gets a mail about any further one. Live credentials only.',
    auth: writing,
    params: { id: uuid },
    body: z.strictObject({ is_default: z.literal(true) }),
    replies: { 200: payoutInstrument },
    errors: ['not_found'],
    async handle({ params }, services) {
      const set = await services.payout.setDefaultPayoutInstrument({ id: params.id })
      return reply(200, required(set.payout_instrument))
    },
  }),
]

export const routes = payoutInstrumentsOf(MERCHANT)
