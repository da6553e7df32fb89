import { atLeastOne, booleanWord, paging, uuid } from '@svc/inputs'
import { instant, orNull, whole, words } from '@svc/public-bodies'
import * as z from 'zod'
import { payoutInstrument } from '../../bodies/payout.ts'
import { KYC_STATUSES, riderList, riderMerchant, riderOf, riderRecord } from '../../bodies/rider.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Riders of all merchants'
const params = { riderId: uuid }
const kycStatus = z.enum(KYC_STATUSES)

const document = z.object({ name: z.string(), url: z.string(), expires_at: instant })

const NO_DOCUMENTS: z.input<typeof document>[] = []

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/riders',
    operationId: 'listRiders',
    tag,
    summary: 'List riders',
    description:
      'Of all fleets and freelancers, newest first unless `sort` says otherwise. Filter by `kyc_status` `pending` for those who wait for approval.',
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
      const riders = await services.rider.listRiders(query)
      return reply(200, { ...riders, items: riders.items.map(riderOf) })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/admin/riders/{riderId}',
    operationId: 'getRider',
    tag,
    summary: 'Read a rider',
    description:
      'With the merchant of its fleet and the bank accounts, of which the last four digits are told. Riders hand in no documents, so `documents` is empty.',
    auth: admin('admin.riders.read'),
    params,
    replies: {
      200: z.object({
        rider: riderRecord,
        // Generators of clients have no type for what is null alone.
        user: z.null().meta({
          description: 'Always null: riders log in by phone, without a user account',
          override: { type: ['object', 'null'] },
        }),
        merchant: orNull(riderMerchant),
        kyc: z.object({ status: words(...KYC_STATUSES) }),
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
      const rider = riderOf(found.rider)
      const kyc = { status: rider.kyc_status }
      return reply(200, { ...found, rider, user: null, kyc, documents: NO_DOCUMENTS, payout_instruments: items })
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/admin/riders/{riderId}',
    operationId: 'updateRider',
    tag,
    summary: 'Judge a rider, or take it on or off line',
    description: 'Any kyc_status but approved takes the rider offline.',
    auth: admin('admin.riders.write'),
    params,
    body: atLeastOne(z.strictObject({ kyc_status: kycStatus.optional(), is_online: z.boolean().optional() })),
    replies: { 200: z.object({ rider: riderRecord }) },
    errors: ['not_found', 'kyc_not_approved', 'active_order'],
    async handle({ params: { riderId }, body }, services) {
      const updated = await services.rider.updateRider({ id: riderId, ...body })
      return reply(200, { rider: riderOf(updated.rider) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/riders/{riderId}/revoke-access-tokens',
    operationId: 'revokeRiderTokens',
    tag,
    summary: 'End every token of a rider at once',
    description:
      'For a lost phone, or somebody else in the account: the rider has to log in again. After a 503 it is on record and happens by itself; a repeat does no harm.',
    auth: admin('admin.riders.write'),
    params,
    replies: { 200: z.object({ ok: z.literal(true), token_version: whole }) },
    errors: ['not_found'],
    async handle({ params: { riderId } }, services) {
      return reply(200, { ok: true, ...(await services.rider.revokeRiderTokens({ rider_id: riderId })) })
    },
  }),
]
