import { RehearsalServiceService } from '@svc/contracts/dispatch/v1/rehearsal_service'
import { rpc, service, serving } from '@svc/grpc'
import { resourceId } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { playSandboxRider, SANDBOX_ACTS } from '../use-cases/assignment/play-sandbox-rider.ts'

/** The rpcs of the sandbox's scenarios, which the order service plays. */
export const rehearsalService = serving<Context>()(RehearsalServiceService, {
  playSandboxRider: rpc({
    access: service('order'),
    input: z.object({
      order_id: z.string(),
      merchant_id: z.string(),
      act: z.enum(SANDBOX_ACTS),
      stay_seconds: z.int().min(0),
      point: z.custom<{ lat: number; lng: number }>().optional(),
      code: z.string().optional(),
    }),
    async handle(ctx, by, { order_id, merchant_id, act, stay_seconds, point, code }) {
      await playSandboxRider(ctx, by, {
        orderId: resourceId(order_id),
        merchantId: resourceId(merchant_id),
        act,
        stayMs: stay_seconds * 1_000,
        point: point ?? null,
        code: code ?? '',
      })
      return {}
    },
  }),
})
