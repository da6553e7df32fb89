import { EVENTS } from '@svc/public-bodies'
import { z } from 'zod'
import { DELIVERY_STATUSES } from '../domain/delivery-status.ts'

/** Names of events that exist. */
export const eventNames = z.array(z.enum(EVENTS))

/** How a delivery stands, in a filter. */
export const deliveryStatus = z.enum(DELIVERY_STATUSES)
