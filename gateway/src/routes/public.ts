import { email, text } from '@svc/inputs'
import { id, required } from '@svc/public-bodies'
import * as z from 'zod'
import { newPassword, tokenPair, tokenPairOf } from '../bodies/credential.ts'
import { LOGIN, SIGNUP } from '../http/limits.ts'
import { publicly, reply, route } from '../http/route.ts'

const tag = 'Authentication'

export const routes = [
  route({
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
      201: z.object({
        merchant: z.object({ id, name: z.string(), slug: z.string() }),
        api_key: z.string(),
        api_key_prefix: z.string(),
        email_verification_required: z.boolean(),
      }),
    },
    errors: ['already_exists', 'feature_disabled'],
    async handle({ body }, services) {
      const { business_name, email: address, password, phone } = body
      const made = await services.merchant.signUpMerchant({ business_name, email: address, password, phone })
      const [merchant, key] = [required(made.merchant), required(made.key)]
      return reply(201, { ...made, merchant, api_key_prefix: key.prefix })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/public/login',
    operationId: 'logIn',
    tag,
    summary: 'Log in with e-mail and password',
    description:
      'Answers with an access token and a refresh token. 401 does not say whether the address or the password is wrong; 403 `email_not_verified` until the address is confirmed.',
    auth: publicly(...LOGIN),
    body: z.object({ email: text(320), password: text(1024) }),
    replies: { 200: tokenPair },
    errors: ['unauthorized', 'email_not_verified'],
    async handle({ body }, services) {
      const { tokens } = await services.credential.logIn(body)
      return reply(200, tokenPairOf(required(tokens)))
    },
  }),
]
