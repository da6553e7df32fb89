import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { tokenPair, tokenPairOf } from '../../../bodies/credential.ts'
import { redirection, signOnHeaders, signOnQuery, withFragment } from '../../../bodies/sign-on.ts'
import { browserSecret } from '../../../http/browser-secret.ts'
import { SIGN_ON, SIGN_ON_STATUS } from '../../../http/limits.ts'
import { SIGN_ON_BEGIN_MS, SIGN_ON_COMPLETE_MS } from '../../../http/provider-deadline.ts'
import { publicly, reply, route } from '../../../http/route.ts'

const tag = 'Authentication'
const COOKIE = 'merchant-sign-on'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/public/auth/merchant-oidc/status',
    operationId: 'getMerchantSignOn',
    tag,
    summary: 'Whether single sign-on is offered',
    description: 'For log-in pages: whether to offer it.',
    auth: publicly(...SIGN_ON_STATUS),
    replies: { 200: z.object({ sso_available: z.boolean() }) },
    errors: [],
    async handle(_input, services) {
      const { available } = await services.signOn.getMerchantSignOn({})
      return reply(200, { sso_available: available })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/public/auth/merchant-oidc/login',
    operationId: 'beginMerchantSignOn',
    tag,
    summary: 'Log in at the identity provider: open it in a browser',
    description: 'Redirects to the identity provider, which sends the browser back here.',
    auth: publicly(...SIGN_ON),
    deadlineMs: SIGN_ON_BEGIN_MS,
    replies: { 302: redirection },
    errors: ['sso_not_configured'],
    async handle({ config }, services) {
      const begun = required((await services.signOn.beginMerchantSignOn({})).attempt)
      const kept = browserSecret(COOKIE, config).set(begun.secret, begun.max_age_seconds)
      return reply(302, {}, { Location: begun.url, ...kept })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/public/auth/merchant-oidc/callback',
    operationId: 'completeMerchantSignOn',
    tag,
    summary: 'Where the identity provider sends the browser back to',
    description:
      'Answers with the tokens, or leads to the page that the operator has configured, with the tokens in its fragment.',
    auth: publicly(...SIGN_ON),
    deadlineMs: SIGN_ON_COMPLETE_MS,
    query: signOnQuery,
    headers: signOnHeaders,
    replies: { 200: tokenPair, 302: redirection },
    errors: ['sso_not_configured', 'invalid_token', 'token_expired', 'unauthorized', 'forbidden', 'email_not_verified'],
    async handle({ query, headers, config }, services) {
      const kept = browserSecret(COOKIE, config)
      const callback = { ...query, secret: kept.read(headers.cookie) }
      const done = await services.signOn.completeMerchantSignOn({ callback })
      const tokens = tokenPairOf(required(done.tokens))
      if (done.success_url === undefined) return reply(200, tokens, kept.clear())
      const { access_token, refresh_token, token_type, expires_in, refresh_expires_in, merchant_id, scope } = tokens
      const shown = { access_token, refresh_token, token_type, expires_in, refresh_expires_in, merchant_id, scope }
      return reply(302, {}, { Location: withFragment(done.success_url, shown), ...kept.clear() })
    },
  }),
]
