import { email, text, uuid } from '@svc/inputs'
import * as z from 'zod'
import { LOGIN, SIGNUP } from '../http/limits.ts'
import { publicly, reply, viewedRoute } from '../http/route.ts'
import { newPassword, tokenPair } from '../schemas/credential.ts'
import { tokenPairView } from '../views/credential.ts'
import { present } from '../views/or-null.ts'

const tag = 'Authentication'

export const publicRoutes = [
  viewedRoute({
    method: 'POST',
    path: '/v1/public/merchants/signup',
    operationId: 'signUpMerchant',
    tag,
    summary: 'Sign a merchant up',
    description: 'Makes the merchant, its owner and a test key with every scope, which this reply alone shows.',
    auth: publicly(...SIGNUP),
    body: z.object({
      business_name: text(200),
      email,
      password: newPassword,
      phone: text(32).optional(),
      website: z.string().max(0).optional().meta({ description: 'Leave empty' }),
    }),
    replies: {
      201: z.strictObject({
        merchant: z.strictObject({ id: uuid, name: z.string(), slug: z.string() }),
        api_key: z.string(),
        api_key_prefix: z.string(),
        email_verification_required: z.boolean(),
      }),
    },
    errors: ['already_exists', 'feature_disabled'],
    async handle({ body }, services) {
      const { business_name, email: address, password, phone } = body
      const made = await services.merchant.signUpMerchant({ business_name, email: address, password, phone })
      const { id, name, slug } = present(made.merchant)
      return reply(201, {
        merchant: { id, name, slug },
        api_key: made.api_key,
        api_key_prefix: present(made.key).prefix,
        email_verification_required: made.email_verification_required,
      })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/public/login',
    operationId: 'logIn',
    tag,
    summary: 'Log in with e-mail and password',
    auth: publicly(...LOGIN),
    body: z.object({ email: text(320), password: text(1024) }),
    replies: { 200: tokenPair },
    errors: ['unauthorized', 'email_not_verified'],
    async handle({ body }, services) {
      const { tokens } = await services.credential.logIn(body)
      return reply(200, tokenPairView(present(tokens)))
    },
  }),
]
