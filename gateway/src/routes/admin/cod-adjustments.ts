import { paging, uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { ADJUSTMENT_STATUSES, adjustmentList, adjustmentReply, wantedAdjustment } from '../../bodies/cash.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Cash of all merchants'
const deciding = admin('admin.withdrawals.write')
const params = { id: uuid }
const replies = { 200: adjustmentReply }

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/cod-adjustments',
    operationId: 'listCashAdjustments',
    tag,
    summary: 'List what operators changed of cash, newest first; what is pending waits for a second one',
    description:
      'An `applied` one has changed what the rider has in hand, a `rejected` one never does. Filter by `status` `pending` for those to approve or reject.',
    auth: admin('admin.ledger.read'),
    query: { ...paging(), status: z.enum(ADJUSTMENT_STATUSES).optional() },
    replies: { 200: adjustmentList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.cash.listCashAdjustments(query))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/cod-adjustments',
    operationId: 'adjustCash',
    tag,
    summary: 'Change what a rider has in hand of a merchant’s cash',
    description:
      'At once, or where operators would change more of the rider’s cash than the four-eyes limit within a day, once a ' +
      'second operator approves: it is `pending` until then. Below zero it takes no more than is in hand and not declared.',
    auth: deciding,
    idempotent: true,
    body: wantedAdjustment,
    replies: { 201: adjustmentReply },
    errors: ['idempotency_conflict', 'idempotency_in_progress'],
    async handle({ body, idempotency }, services) {
      const { adjustment, replayed } = await services.cash.adjustCash({ ...body, idempotency })
      const headers = replayed ? { 'Idempotent-Replayed': 'true' } : undefined
      return reply(201, { adjustment: required(adjustment) }, headers)
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/cod-adjustments/{id}/approve',
    operationId: 'approveCashAdjustment',
    tag,
    summary: 'Approve a pending adjustment as a second person, which applies it',
    description: 'One who was there before it, and whom the first did not make. It still has to fit what is in hand.',
    auth: deciding,
    params,
    replies,
    errors: ['not_found', 'invalid_state', 'second_approver_required'],
    async handle({ params: { id } }, services) {
      const { adjustment } = await services.cash.approveCashAdjustment({ id })
      return reply(200, { adjustment: required(adjustment) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/cod-adjustments/{id}/reject',
    operationId: 'rejectCashAdjustment',
    tag,
    summary: 'End a pending adjustment: nothing moves',
    description: '409 `invalid_state` where it is not pending any more.',
    auth: deciding,
    params,
    replies,
    errors: ['not_found', 'invalid_state'],
    async handle({ params: { id } }, services) {
      const { adjustment } = await services.cash.rejectCashAdjustment({ id })
      return reply(200, { adjustment: required(adjustment) })
    },
  }),
]
