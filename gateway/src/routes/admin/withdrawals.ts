import { maybe, paging, text, uuid } from '@svc/inputs'
import { OWNER_TYPES, required, WITHDRAWAL_STATUSES } from '@svc/public-bodies'
import * as z from 'zod'
import { adminWithdrawalList, adminWithdrawalReply } from '../../bodies/payout.ts'
import { PROVIDER_DEADLINE_MS } from '../../http/provider-deadline.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Withdrawals of all owners'
const auth = admin('admin.withdrawals.write')
const params = { id: uuid }
const replies = { 200: adminWithdrawalReply }

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/withdrawals',
    operationId: 'adminListWithdrawals',
    tag,
    summary: 'List withdrawals, newest first',
    description:
      'Of merchants and riders. Filter by `status` `pending_review` for those that wait for a decision, or by owner. `four_eyes_above_minor` tells from which sum on it takes two operators.',
    auth: admin('admin.withdrawals.read'),
    query: {
      ...paging(),
      status: z.enum(WITHDRAWAL_STATUSES).optional(),
      owner_type: z.enum(OWNER_TYPES).optional(),
      owner_id: uuid.optional(),
    },
    replies: { 200: adminWithdrawalList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.payout.listWithdrawals(query))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/withdrawals/{id}/approve',
    operationId: 'approveWithdrawal',
    tag,
    summary: 'Approve a withdrawal, which pays it out',
    description:
      'Where the payee would get more than four_eyes_above_minor within 24 hours, it waits for a second operator, who was there before it and whom the first did not make.',
    auth,
    params,
    replies,
    errors: ['not_found', 'invalid_state', 'second_approver_required'],
    async handle({ params: { id } }, services) {
      const { withdrawal } = await services.payout.approveWithdrawal({ id })
      return reply(200, { withdrawal: required(withdrawal) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/withdrawals/{id}/reject',
    operationId: 'rejectWithdrawal',
    tag,
    summary: 'Reject a withdrawal, which gives the money back',
    description:
      'The amount can be spent again, and the owner reads the `reason`. 409 `invalid_state` for one that is no longer `pending_review`.',
    auth,
    params,
    body: z.object({ reason: maybe(text(512)).meta({ description: 'Told to the owner as failure_reason' }) }),
    replies,
    errors: ['not_found', 'invalid_state'],
    async handle({ params: { id }, body }, services) {
      const { withdrawal } = await services.payout.rejectWithdrawal({ id, reason: body.reason })
      return reply(200, { withdrawal: required(withdrawal) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/withdrawals/{id}/retry',
    operationId: 'retryWithdrawal',
    tag,
    summary: 'Pay a failed withdrawal out again',
    description:
      'Reserves the amount anew, and pays it out under a new reference, once the provider has said that the transfer ' +
      'before did not arrive. Otherwise `invalid_state`, with `details.reason` `transfer_pending` or ' +
      '`transfer_succeeded`: then the amount was taken again and the withdrawal is paid, if the wallet has it. ' +
      'Where the payee would get more than four_eyes_above_minor within 24 hours, it takes another person than the one who let it go out last.',
    auth,
    deadlineMs: PROVIDER_DEADLINE_MS,
    params,
    replies,
    errors: [
      'not_found',
      'invalid_state',
      'second_approver_required',
      'wallet_insufficient',
      'payments_not_configured',
    ],
    async handle({ params: { id } }, services) {
      const { withdrawal } = await services.payout.retryWithdrawal({ id })
      return reply(200, { withdrawal: required(withdrawal) })
    },
  }),
]
