import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

/** What a provider tells of a person. */
export interface Person {
  sub: string
  email?: string
  email_verified?: boolean | string
  [claim: string]: unknown
}

interface Wanted {
  redirectUrl: string
  /** The claims of the person are told where the person is described, not in the id token. */
  thinTokens?: boolean
}

export const CLIENT_ID = 'delivery-dispatch'
export const CLIENT_SECRET = 'the-secret-of-the-client-0123456789'

/** An OpenID provider on this machine, at which people log in without a page. */
export async function startIdentityProvider({ redirectUrl, thinTokens = false }: Wanted) {
  const people = new Map<string, Person>()
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  let listener: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUrl] }],
    jwks: { keys: [{ ...jwk, alg: 'RS256', use: 'sig', kid: 'k1' }] },
    cookies: { keys: ['the-key-of-the-cookies-of-a-test'] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    conformIdTokenClaims: thinTokens,
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: async (_context: unknown, id: string) => ({ accountId: id, claims: async () => people.get(id) }),
    async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string } } }) {
      const grant = new provider.Grant({ clientId: CLIENT_ID, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  listener = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    const accountId = request.headers['x-person']
    const result = accountId
      ? { login: { accountId } }
      : { error: 'access_denied', error_description: 'the person went away' }
    provider.interactionFinished(request, response, result).catch((error: unknown) => response.destroy(error as Error))
  }

  return {
    issuer,
    /** The person logs in at the page, or goes away; answers with what the browser comes back with. */
    async visit(page: string, person?: Person): Promise<Record<string, string>> {
      if (person) people.set(person.sub, person)
      const jar = new Map<string, string>()
      let url = new URL(page)
      while (!url.href.startsWith(redirectUrl)) {
        const answer = await fetch(url, {
          redirect: 'manual',
          headers: {
            cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
            ...(person && { 'x-person': person.sub }),
          },
        })
        for (const cookie of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
          jar.set(name, value)
        }
        const location = answer.headers.get('location')
        if (location === null) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`)
        url = new URL(location, url)
      }
      return Object.fromEntries(url.searchParams)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type StartedProvider = Awaited<ReturnType<typeof startIdentityProvider>>
