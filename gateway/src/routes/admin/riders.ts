import { atLeastOne, booleanWord, paging, timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { admin, reply, viewedRoute } from '../../http/route.ts'
import { payoutInstrument } from '../../schemas/payout.ts'
import { KYC_STATUSES, riderList, riderMerchant, riderRecord } from '../../schemas/rider.ts'
import { present } from '../../views/or-null.ts'
import { payoutInstrumentView } from '../../views/payout.ts'
import { riderMerchantView, riderView } from '../../views/rider.ts'

const tag = 'Riders of all merchants'
const params = { riderId: uuid }
const kycStatus = z.enum(KYC_STATUSES)

const document = z.strictObject({ name: z.string(), url: z.string(), expires_at: timestamp })

export const adminRiders = [
  viewedRoute({
    method: 'GET',
    path: '/v1/admin/riders',
    operationId: 'listRiders',
    tag,
    summary: 'List riders',
    auth: admin('admin.riders.read'),
    query: {
      ...paging(),
      sort: z.enum(['created_desc', 'created_asc', 'updated_desc', 'updated_asc']).default('created_desc'),
      merchant_id: uuid.optional(),
      kyc_status: kycStatus.optional(),
      is_online: booleanWord.optional(),
    },
    replies: { 200: riderList },
    errors: [],
    async handle({ query }, services) {
      const { items, total, limit, offset } = await services.rider.listRiders(query)
      return reply(200, { items: items.map(riderView), total, limit, offset })
    },
  }),
  viewedRoute({
    method: 'GET',
    path: '/v1/admin/riders/{riderId}',
    operationId: 'getRider',
    tag,
    summary: 'Read a rider',
    auth: admin('admin.riders.read'),
    params,
    replies: {
      200: z.strictObject({
        rider: riderRecord,
        user: z.null().meta({ description: 'Riders log in by phone, without a user account' }),
        merchant: riderMerchant.nullable(),
        kyc: z.strictObject({ status: kycStatus }),
        documents: z.array(document),
        payout_instruments: z.array(payoutInstrument),
      }),
    },
    errors: ['not_found'],
    async handle({ params: { riderId } }, services) {
      const [found, { items }] = await Promise.all([
        services.rider.getRider({ id: riderId }),
        services.payout.listPayoutInstruments({ rider_id: riderId }),
      ])
      const rider = present(found.rider)
      return reply(200, {
        rider: riderView(rider),
        user: null,
        merchant: riderMerchantView(found.merchant),
        kyc: { status: rider.kyc_status },
        documents: [],
        payout_instruments: items.map(payoutInstrumentView),
      })
    },
  }),
  viewedRoute({
    method: 'PATCH',
    path: '/v1/admin/riders/{riderId}',
    operationId: 'updateRider',
    tag,
    summary: 'Judge a rider, or take it on or off line',
    description: 'Any kyc_status but approved takes the rider offline.',
    auth: admin('admin.riders.write'),
    params,
    body: atLeastOne(z.strictObject({ kyc_status: kycStatus.optional(), is_online: z.boolean().optional() })),
    replies: { 200: z.strictObject({ rider: riderRecord }) },
    errors: ['not_found', 'kyc_not_approved', 'active_order'],
    async handle({ params: { riderId }, body }, services) {
      const updated = await services.rider.updateRider({ id: riderId, ...body })
      return reply(200, { rider: riderView(present(updated.rider)) })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/admin/riders/{riderId}/revoke-access-tokens',
    operationId: 'revokeRiderTokens',
    tag,
    summary: 'End every token of a rider at once',
    auth: admin('admin.riders.write'),
    params,
    replies: { 200: z.strictObject({ ok: z.literal(true), token_version: z.int() }) },
    errors: ['not_found'],
    async handle({ params: { riderId } }, services) {
      const { token_version } = await services.rider.revokeRiderTokens({ rider_id: riderId })
      return reply(200, { ok: true, token_version })
    },
  }),
]
