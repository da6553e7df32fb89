import { maybe, paging, uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { newPayoutInstrument, payoutInstrument, withdrawalList, withdrawalReply } from '../bodies/payout.ts'
import { askedMinor } from '../bodies/pieces.ts'
import { type Auth, merchant, type Route, reply, rider, route } from '../http/route.ts'
import { PROVIDER_DEADLINE_MS } from './provider-deadline.ts'

interface Owner {
  /** Below which its routes lie. */
  base: string
  tag: string
  reading: Auth
  writing: Auth
  /** The operation of an rpc. */
  named: (rpc: string) => string
}

/** Where an owner of a wallet says to which bank accounts it may be paid. */
const instrumentsOf = ({ base, tag, reading, writing, named }: Owner): Route[] => [
  route({
    method: 'GET',
    path: `${base}/payout-instruments`,
    operationId: named('listPayoutInstruments'),
    tag,
    summary: 'List bank accounts to which withdrawals may go, newest first',
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
    description: "A rider's withdrawals are frozen for a day from then on. Live credentials only.",
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
    description: "A rider's withdrawals are frozen for a day from then on. Live credentials only.",
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

/** Where an owner of a wallet asks to be paid. */
const withdrawalsOf = ({ base, tag, reading, writing, named }: Owner): Route[] => [
  route({
    method: 'GET',
    path: `${base}/withdrawals`,
    operationId: named('listWithdrawals'),
    tag,
    summary: 'List withdrawals, newest first',
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

const payoutsOf = (owner: Owner): Route[] => [...instrumentsOf(owner), ...withdrawalsOf(owner)]

export const merchantPayouts = payoutsOf({
  base: '/v1/me',
  tag: 'Wallet',
  reading: merchant('orders:read', 'orders:write'),
  writing: merchant('orders:write'),
  named: (rpc) => rpc,
})

export const riderPayouts = payoutsOf({
  base: '/v1/riders/me',
  tag: 'Riders: money',
  reading: rider(),
  writing: rider(),
  named: (rpc) => `rider${rpc.charAt(0).toUpperCase()}${rpc.slice(1)}`,
})
