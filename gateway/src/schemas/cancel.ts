import { text } from '@svc/inputs'
import * as z from 'zod'
import { order } from './order.ts'

export const cancelBody = z.object({
  reason: text(512).meta({ example: 'customer_cancellation_requested' }),
  notes: text(2000, 0).optional(),
})

export const cancelReply = z.strictObject({ order, already_cancelled: z.literal(true).optional() })
