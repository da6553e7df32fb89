import type { WebhookFault } from '@svc/contracts/webhook/v1/delivery_service'
import { fieldsOf, whole, words } from '@svc/public-bodies'
import * as z from 'zod'

export const FAULT_KINDS = ['drop', 'delay', 'duplicate', 'reorder'] as const

export const webhookFaults = z.object({
  faults: z.array(
    z.object(
      fieldsOf<WebhookFault>()({
        kind: words(...FAULT_KINDS),
        events: z.array(z.string()),
        count: whole,
        delay_ms: whole,
        remaining: whole.meta({ description: 'Deliveries that have still to meet it' }),
      }),
    ),
  ),
})
