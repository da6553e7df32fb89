import { paging, uuid } from '@svc/inputs'
import * as z from 'zod'
import { type Auth, merchant, type Route, reply, rider, viewedRoute } from '../http/route.ts'
import { newPayoutInstrument, payoutInstrument, withdrawalList, withdrawalReply } from '../schemas/payout.ts'
import { askedMinor } from '../schemas/pieces.ts'
import { present } from '../views/or-null.ts'
import { payoutInstrumentView, withdrawalView } from '../views/payout.ts'
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
  viewedRoute({
    method: 'GET',
    path: `${base}/payout-instruments`,
    operationId: named('listPayoutInstruments'),
    tag,
    summary: 'List bank accounts to which withdrawals may go, newest first',
    auth: reading,
    replies: { 200: z.strictObject({ items: z.array(payoutInstrument) }) },
    errors: [],
    async handle(_input, services) {
      const { items } = await services.payout.listPayoutInstruments({})
      return reply(200, { items: items.map(payoutInstrumentView) })
    },
  }),
  viewedRoute({
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
      const { bank_code, account_number, account_name, is_default } = body
      const created = await services.payout.createPayoutInstrument({
        bank_code,
        account_number,
        account_name: account_name ?? undefined,
        is_default: is_default ?? false,
      })
      return reply(201, payoutInstrumentView(present(created.payout_instrument)))
    },
  }),
  viewedRoute({
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
      return reply(200, payoutInstrumentView(present(set.payout_instrument)))
    },
  }),
]

/** Where an owner of a wallet asks to be paid. */
const withdrawalsOf = ({ base, tag, reading, writing, named }: Owner): Route[] => [
  viewedRoute({
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
      const { items, min_amount_minor, total, limit, offset } = await services.payout.listWithdrawals(query)
      return reply(200, { withdrawal_requests: items.map(withdrawalView), min_amount_minor, total, limit, offset })
    },
  }),
  viewedRoute({
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
      payout_instrument_id: uuid.nullish().meta({ description: 'The default when absent' }),
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
      const { amount_minor, payout_instrument_id } = body
      const request = { amount_minor, payout_instrument_id: payout_instrument_id ?? undefined, idempotency }
      const requested = await services.payout.requestWithdrawal(request)
      const replayed = requested.replayed ? { 'Idempotent-Replayed': 'true' } : undefined
      return reply(201, { withdrawal: withdrawalView(present(requested.withdrawal)) }, replayed)
    },
  }),
  viewedRoute({
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
      return reply(200, { withdrawal: withdrawalView(present(cancelled.withdrawal)) })
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
