import type { User } from '@svc/contracts/admin/v1/merchant_service'
import { fieldsOf, id, instant, orNull, words } from '@svc/public-bodies'
import * as z from 'zod'

/** Somebody who logs in for a merchant, as operators see it. */
export const user = z
  .object(
    fieldsOf<User>()({
      id,
      merchant_id: id,
      email: z.string().meta({ format: 'email' }),
      email_verified: z.boolean(),
      role: words('owner'),
      created_at: instant,
      last_login_at: orNull(instant),
    }),
  )
  .meta({ id: 'User' })
