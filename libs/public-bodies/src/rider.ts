import type { Rider } from '@svc/contracts/order/v1/order'
import * as z from 'zod'
import { fieldsOf, id, orNull } from './pieces.ts'

/** The rider of an order. */
export const riderSummary = z
  .object(
    fieldsOf<Rider>()({
      id,
      name: orNull(z.string()),
      phone: orNull(z.string()),
      vehicle_type: orNull(z.string()),
    }),
  )
  .meta({ id: 'RiderSummary' })
