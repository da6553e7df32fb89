import { FaultServiceService } from '@svc/contracts/webhook/v1/delivery_service'
import { merchant, rpc, serving } from '@svc/grpc'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { FaultRow } from '../db/webhook-faults.ts'
import { FAULT_KINDS, MAX_FAULT_COUNT, MAX_FAULT_DELAY_MS, MAX_FAULTS } from '../domain/webhook-fault.ts'
import { getWebhookFaults } from '../use-cases/get-webhook-faults.ts'
import { putWebhookFaults } from '../use-cases/put-webhook-faults.ts'
import { eventNames } from './pieces.ts'

const fault = z
  .object({
    kind: z.enum(FAULT_KINDS),
    events: eventNames,
    count: z.int().min(1).max(MAX_FAULT_COUNT),
    delay_ms: z.int().min(0).max(MAX_FAULT_DELAY_MS),
    // Said in answers; at the beginning it is the count.
    remaining: z.int(),
  })
  .transform(({ kind, events, count, delay_ms: delayMs }) => ({ kind, events, count, delayMs }))

const faultMessage = ({ delayMs, events, ...row }: FaultRow) => ({ ...row, events: [...events], delay_ms: delayMs })

/** The rpcs of faults, for test credentials alone. */
export const faultService = serving<Context>()(FaultServiceService, {
  putWebhookFaults: rpc({
    access: merchant('webhooks:manage'),
    input: z.object({ faults: z.array(fault).max(MAX_FAULTS) }),
    handle: async (ctx, by, input) => ({ faults: (await putWebhookFaults(ctx, by, input)).map(faultMessage) }),
  }),

  getWebhookFaults: rpc({
    access: merchant('webhooks:manage'),
    handle: async (ctx, by) => ({ faults: (await getWebhookFaults(ctx, by)).map(faultMessage) }),
  }),
})
