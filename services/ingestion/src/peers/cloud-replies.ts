import { z } from 'zod'

/** An id of the provider, whose digits no number holds. */
const digits = z.string().regex(/^\d{1,32}$/)
const label = z.string().max(256).nullish().catch(null)

/** What the provider says where it refuses; the texts beside it repeat what they were asked with, secrets included. */
export const refusal = z.object({
  error: z.object({ code: z.number().catch(0), is_transient: z.boolean().catch(false) }),
})

export const accessToken = z
  .object({ access_token: z.string().min(1).max(4_096) })
  .transform(({ access_token }) => access_token)

const scope = z.object({ scope: z.string(), target_ids: z.array(digits.nullable().catch(null)).catch([]) })

/** Whose token it is, and the business accounts that it may manage. */
export const grantOfToken = z
  .object({
    data: z.object({
      app_id: z.string(),
      is_valid: z.boolean().catch(false),
      granular_scopes: z.array(scope).catch([]),
    }),
  })
  .transform(({ data: { app_id: appId, is_valid: isValid, granular_scopes: scopes } }) => ({
    appId,
    isValid,
    wabaIds: scopes
      .filter((granted) => granted.scope === 'whatsapp_business_management')
      .flatMap(({ target_ids }) => target_ids)
      .filter((id) => id !== null),
  }))

const phoneNumber = z.object({ id: digits, display_phone_number: label, verified_name: label })

export const phoneNumbers = z
  .object({ data: z.array(phoneNumber.nullable().catch(null)) })
  .transform(({ data }) => data.filter((number) => number !== null))

export const success = z.object({ success: z.literal(true) })
