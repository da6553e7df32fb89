import { maybe, paging, uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { withdrawalList, withdrawalReply } from '../../bodies/payout.ts'
import { askedMinor } from '../../bodies/pieces.ts'
import { type Route, reply, route } from '../../http/route.ts'

import { MERCHANT, type Owner } from '../../http/wallet-owner.ts'

/** Where an owner of a wallet asks to be paid. */
export const withdrawalsOf = ({ base, tag, reading, writing, named }: Owner): Route[] => [
  route({
    method: 'GET',
    path: `${base}/withdrawals`,
    operationId: named('listWithdrawals'),
    tag,
    summary: 'List withdrawals, newest first',
    description:
      'What was asked for and what became of it, and in `min_amount_minor` the least that may be asked for. 403 `feature_disabled` where the operator has not switched withdrawals on; test credentials have none.',
    auth: reading,
    query: paging(),
    replies: { 200: withdrawalList },
    errors: ['feature_disabled'],
    async handle({ query }, services) {
      const listed = await services.payout.listWithdrawals(query)
      return reply(200, { ...listed, withdrawal_requests: listed.items })
    },
  }),
  route({
    method: 'POST',
    path: `${base}/withdrawals/request`,
    operationId: named('requestWithdrawal'),
    tag,
    summary: 'Ask for money to be paid out',
    description: 'Reserves the amount until an operator has reviewed it. Live credentials only.',
    auth: writing,
    idempotent: true,
    body: z.object({
      amount_minor: askedMinor,
      payout_instrument_id: maybe(uuid).meta({ description: 'The default when absent' }),
    }),
    replies: { 201: withdrawalReply },
    errors: [
      'wallet_insufficient',
      'withdrawal_frozen',
      'kyb_required',
      'kyc_not_approved',
      'feature_disabled',
      'payout_instrument_required',
      'idempotency_conflict',
      'idempotency_in_progress',
    ],
    async handle({ body, idempotency }, services) {
      const requested = await services.payout.requestWithdrawal({ ...body, idempotency })
      const replayed = requested.replayed ? { 'Idempotent-Replayed': 'true' } : undefined
      return reply(201, { withdrawal: required(requested.withdrawal) }, replayed)
    },
  }),
  route({
    method: 'POST',
    path: `${base}/withdrawals/{id}/cancel`,
    operationId: named('cancelWithdrawal'),
    tag,
    summary: 'Take a withdrawal back while it waits for review',
    description: 'Of one that is cancelled already this answers `invalid_state`.',
    auth: writing,
    params: { id: uuid },
    replies: { 200: withdrawalReply },
    errors: ['not_found', 'invalid_state'],
    async handle({ params }, services) {
      const cancelled = await services.payout.cancelWithdrawal({ id: params.id })
      return reply(200, { withdrawal: required(cancelled.withdrawal) })
    },
  }),
]

export const routes = withdrawalsOf(MERCHANT)
