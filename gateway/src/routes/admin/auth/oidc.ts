import { required } from '@svc/public-bodies'
import { adminToken } from '../../../bodies/credential.ts'
import { redirection, signOnHeaders, signOnQuery, withFragment } from '../../../bodies/sign-on.ts'
import { browserSecret } from '../../../http/browser-secret.ts'
import { ADMIN_TOKEN } from '../../../http/limits.ts'
import { SIGN_ON_BEGIN_MS, SIGN_ON_COMPLETE_MS } from '../../../http/provider-deadline.ts'
import { publicly, reply, route } from '../../../http/route.ts'

const tag = 'Operators'
const COOKIE = 'operator-sign-on'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/auth/oidc/login',
    operationId: 'beginOperatorSignOn',
    tag,
    summary: 'Log an operator in at the identity provider: open it in a browser',
    description:
      'Redirects to the identity provider, which sends the browser back to `/v1/admin/auth/oidc/callback`: the log-in ends in the browser that began it. 503 `sso_not_configured` without a provider; 403 `feature_disabled` where operators have no log-ins of their own.',
    auth: publicly(...ADMIN_TOKEN),
    deadlineMs: SIGN_ON_BEGIN_MS,
    replies: { 302: redirection },
    errors: ['sso_not_configured', 'feature_disabled'],
    async handle({ config }, services) {
      const begun = required((await services.signOn.beginOperatorSignOn({})).attempt)
      const kept = browserSecret(COOKIE, config).set(begun.secret, begun.max_age_seconds)
      return reply(302, {}, { Location: begun.url, ...kept })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/admin/auth/oidc/callback',
    operationId: 'completeOperatorSignOn',
    tag,
    summary: 'Where the identity provider sends the browser of an operator back to',
    description:
      'Answers with the token, or leads to the page that the operator has configured, with the token in its fragment.',
    auth: publicly(...ADMIN_TOKEN),
    deadlineMs: SIGN_ON_COMPLETE_MS,
    query: signOnQuery,
    headers: signOnHeaders,
    replies: { 200: adminToken, 302: redirection },
    errors: [
      'sso_not_configured',
      'feature_disabled',
      'invalid_token',
      'token_expired',
      'unauthorized',
      'forbidden',
      'email_not_verified',
    ],
    async handle({ query, headers, config }, services) {
      const kept = browserSecret(COOKIE, config)
      const callback = { ...query, secret: kept.read(headers.cookie) }
      const done = await services.signOn.completeOperatorSignOn({ callback })
      const token = { ...required(done.token), token_type: 'Bearer', auth: 'oidc' } as const
      if (done.success_url === undefined) return reply(200, token, kept.clear())
      const { permissions, ...shown } = token
      const values = { ...shown, permissions: permissions.join(' ') }
      return reply(302, {}, { Location: withFragment(done.success_url, values), ...kept.clear() })
    },
  }),
]
