import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { generateKeyPair } from 'jose'
import { signOnAttempt } from '../src/domain/sign-on-attempt.ts'
import { identityProvider, type ProviderSettings } from '../src/peers/identity-provider.ts'
import { providerFetch } from '../src/peers/provider-fetch.ts'
import { type ForgingProvider, json, startForgingProvider } from './forging-provider.ts'
import { refusal } from './start-admin.ts'

const CLIENT = 'delivery-dispatch'
const SECRET = 'the-secret-of-the-client-0123456789'
const DISCOVERY = '/.well-known/openid-configuration'
const MINUTE = 60

let forger: ForgingProvider
let other: ForgingProvider
/** Patient, as time is the subject of the answers that hang alone. */
const http = providerFetch({ timeoutMs: 60_000, arePrivateAllowed: true })
const hasty = providerFetch({ timeoutMs: 1_000, arePrivateAllowed: true })

beforeAll(async () => {
  forger = await startForgingProvider()
  other = await startForgingProvider()
})
afterEach(() => {
  for (const path of Object.keys(forger.answers)) delete forger.answers[path]
})
afterAll(async () => {
  await forger?.stop()
  await other?.stop()
  await http.close()
  await hasty.close()
})

/** The provider as a process sees it that has not asked it for anything yet. */
const fresh = (more: Partial<ProviderSettings> = {}, by = http) =>
  identityProvider(
    {
      issuer: forger.issuer,
      clientId: CLIENT,
      clientSecret: SECRET,
      redirectUrl: 'https://api.example/v1/public/auth/merchant-oidc/callback',
      verifiedClaim: 'email_verified',
      successUrl: undefined,
      isInsecure: true,
      ...more,
    },
    by,
  )

const begun = () =>
  signOnAttempt(Buffer.alloc(32, 3), { audience: 'merchant', id: randomUUID(), expiresAt: new Date() })

/** What an honest provider would sign for the attempt. */
function claimsFor({ nonce }: { nonce: string }) {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: forger.issuer,
    aud: CLIENT,
    sub: 'person-1',
    nonce,
    iat: now,
    exp: now + 5 * MINUTE,
    email: 'ada@example.com',
    email_verified: true,
  }
}

type Claims = ReturnType<typeof claimsFor> & Record<string, unknown>

/** Completes a log-in for which the provider answers with that id token. */
async function answeredWith(idTokenOf: (claims: Claims) => Promise<string> | string, more: object = {}) {
  const attempt = begun()
  const id_token = await idTokenOf(claimsFor(attempt))
  forger.answers['/token'] = json({ access_token: 'a', token_type: 'Bearer', id_token, ...more })
  return fresh().identityOf({ state: attempt.state, code: 'c' }, attempt)
}

const unsigned = (header: object, claims: object) =>
  `${[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`

const invalid = refusal('unauthorized', { reason: 'invalid' })
const away = refusal('service_unavailable')

test('an honest answer says who the person is', async () => {
  expect(await answeredWith((claims) => forger.sign(claims))).toEqual({
    issuer: forger.issuer,
    subject: 'person-1',
    email: 'ada@example.com',
    isVerified: true,
  })
})

test('the browser is sent to the page with state, nonce and the digest of the verifier, and to our callback alone', async () => {
  const attempt = begun()
  const url = new URL(await fresh().urlOf(attempt))
  expect(url.origin + url.pathname).toBe(`${forger.issuer}/authorize`)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: CLIENT,
    redirect_uri: 'https://api.example/v1/public/auth/merchant-oidc/callback',
    scope: 'openid email',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(url.href).not.toContain(attempt.verifier)
})

describe('an id token opens nothing', () => {
  test.each<[string, (claims: Claims) => Promise<string> | string]>([
    ['that nobody has signed', (claims) => unsigned({ alg: 'none' }, claims)],
    ['that nobody has signed, by a known key', (claims) => unsigned({ alg: 'none', kid: 'k1' }, claims)],
    ['signed by a client secret', (claims) => forger.sign(claims, { alg: 'HS256', key: Buffer.from(SECRET) })],
    [
      'signed by the public key as if it were a secret',
      (claims) => forger.sign(claims, { alg: 'HS256', key: Buffer.from(JSON.stringify(forger.publicKey)) }),
    ],
    [
      'signed by a key that the provider does not publish',
      async (claims) => forger.sign(claims, { key: (await generateKeyPair('RS256')).privateKey }),
    ],
    ['of another issuer', (claims) => forger.sign({ ...claims, iss: other.issuer })],
    ['for another client', (claims) => forger.sign({ ...claims, aud: 'another-client' })],
    [
      'for several clients, issued to another',
      (claims) => forger.sign({ ...claims, aud: [CLIENT, 'another-client'], azp: 'another-client' }),
    ],
    ['that has expired', (claims) => forger.sign({ ...claims, exp: claims.iat - 5 * MINUTE })],
    ['that is not valid yet', (claims) => forger.sign({ ...claims, nbf: claims.iat + 5 * MINUTE })],
    ['with the nonce of another attempt', (claims) => forger.sign({ ...claims, nonce: begun().nonce })],
    ['without a nonce', (claims) => forger.sign({ ...claims, nonce: undefined })],
    ['without a subject', (claims) => forger.sign({ ...claims, sub: undefined })],
    ['with a subject beyond all bounds', (claims) => forger.sign({ ...claims, sub: 's'.repeat(256) })],
    ['without an end', (claims) => forger.sign({ ...claims, exp: undefined })],
    [
      'whose claims were changed after it was signed',
      async (claims) => {
        const [header, , signature] = (await forger.sign(claims)).split('.')
        const changed = Buffer.from(JSON.stringify({ ...claims, email: 'owner@example.com' })).toString('base64url')
        return `${header}.${changed}.${signature}`
      },
    ],
  ])('%s', async (_name, idTokenOf) => {
    await expect(answeredWith(idTokenOf)).rejects.toEqual(invalid)
  })

  test('that is none, or is not there', async () => {
    await expect(answeredWith(() => 'no token')).rejects.toThrow()
    await expect(answeredWith(() => '', { id_token: undefined })).rejects.toEqual(invalid)
  })
})

describe('a callback', () => {
  test('of another issuer than the one that was asked is refused before any code is sent there', async () => {
    const attempt = begun()
    const before = forger.asked.filter((path) => path === '/token').length
    const answer = { state: attempt.state, code: 'c', iss: other.issuer }
    await expect(fresh().identityOf(answer, attempt)).rejects.toEqual(invalid)
    expect(forger.asked.filter((path) => path === '/token')).toHaveLength(before)
  })

  test('without a code or an error is refused', async () => {
    const attempt = begun()
    await expect(fresh().identityOf({ state: attempt.state }, attempt)).rejects.toEqual(invalid)
  })

  test('tells the error of the provider only where it is a word', async () => {
    const attempt = begun()
    const refused = (error: string) => fresh().identityOf({ state: attempt.state, error }, attempt)
    await expect(refused('login_required')).rejects.toEqual(
      refusal('unauthorized', { reason: 'refused_by_provider', provider_error: 'login_required' }),
    )
    const markup = await refused('<script>').catch((error: unknown) => error)
    expect(markup).toMatchObject({ code: 'unauthorized', details: { reason: 'refused_by_provider' } })
    expect(JSON.stringify(markup)).not.toContain('script')
    await expect(refused('temporarily_unavailable')).rejects.toEqual(away)
  })
})

describe('of a provider', () => {
  const complete = (more: Partial<ProviderSettings> = {}, by = http) => {
    const attempt = begun()
    return fresh(more, by).identityOf({ state: attempt.state, code: 'c' }, attempt)
  }

  test('a used code is 401, a client that it does not know is 503', async () => {
    forger.answers['/token'] = json({ error: 'invalid_grant' }, 400)
    await expect(complete()).rejects.toEqual(invalid)
    forger.answers['/token'] = json({ error: 'invalid_client' }, 401)
    await expect(complete()).rejects.toEqual(away)
  })

  test.each<[string, string, object]>([
    ['names another issuer', DISCOVERY, { issuer: 'http://elsewhere.example' }],
    ['names all its tenants', DISCOVERY, { issuer: 'https://login.example/{tenantid}/v2.0' }],
    ['sends browsers to a script', DISCOVERY, { authorization_endpoint: 'javascript:alert(1)' }],
    ['has no page', DISCOVERY, { authorization_endpoint: undefined }],
  ])('a description that %s is none', async (_name, path, more) => {
    forger.answers[path] = json({ ...forger.description, ...more })
    await expect(fresh().urlOf(begun())).rejects.toEqual(away)
  })

  test('a description by http is believed on this machine alone', async () => {
    await expect(fresh({ isInsecure: false }).urlOf(begun())).rejects.toEqual(away)
  })

  test.each([DISCOVERY, '/token', '/jwks'])('an answer of 2 MB at %s is not read', async (path) => {
    const attempt = begun()
    const id_token = await forger.sign(claimsFor(attempt))
    forger.answers['/token'] = json({ access_token: 'a', token_type: 'Bearer', id_token })
    forger.answers[path] = json({ ...forger.description, keys: [], filler: 'x'.repeat(2_000_000) })
    await expect(fresh().identityOf({ state: attempt.state, code: 'c' }, attempt)).rejects.toEqual(away)
  })

  test.each([DISCOVERY, '/token', '/jwks'])('an answer at %s that leads elsewhere is not followed', async (path) => {
    const attempt = begun()
    const id_token = await forger.sign(claimsFor(attempt))
    forger.answers['/token'] = json({ access_token: 'a', token_type: 'Bearer', id_token })
    const before = other.asked.length
    forger.answers[path] = (_request, response) => {
      response.writeHead(307, { location: other.issuer + path }).end()
    }
    await expect(fresh().identityOf({ state: attempt.state, code: 'c' }, attempt)).rejects.toEqual(away)
    expect(other.asked).toHaveLength(before)
  })

  test.each<[string, (response: { write(text: string): unknown; writeHead(status: number): unknown }) => void]>([
    ['never comes', () => {}],
    [
      'never ends',
      (response) => {
        response.writeHead(200)
        response.write('{')
      },
    ],
  ])('an answer that %s is waited for no longer than a while', async (_name, hang) => {
    forger.answers[DISCOVERY] = (_request, response) => hang(response)
    await expect(fresh({}, hasty).urlOf(begun())).rejects.toEqual(away)
    delete forger.answers[DISCOVERY]
    forger.answers['/token'] = (_request, response) => hang(response)
    await expect(complete({}, hasty)).rejects.toEqual(away)
  })

  test('an address that is not public is not called, however it is spelt, unless the operator has said so', async () => {
    const guarded = providerFetch({ timeoutMs: 60_000, arePrivateAllowed: false })
    const before = forger.asked.length
    const { port } = new URL(forger.issuer)
    try {
      for (const host of [
        '127.0.0.1',
        '127.1',
        '2130706433',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '169.254.169.254',
        '10.0.0.1',
      ])
        await expect(
          guarded.fetch(`http://${host}:${port}${DISCOVERY}`, {
            method: 'GET',
            headers: {},
            body: undefined,
            redirect: 'manual',
          }),
        ).rejects.toThrow('not a public address')
      expect(forger.asked).toHaveLength(before)
    } finally {
      await guarded.close()
    }
  })

  test('an answer that is no JSON, or no answer at all, is 503', async () => {
    forger.answers['/token'] = (_request, response) => void response.end('<html>')
    await expect(complete()).rejects.toEqual(away)
    forger.answers['/token'] = (request) => void request.socket.destroy()
    await expect(complete()).rejects.toEqual(away)
    await expect(complete({ issuer: 'http://127.0.0.1:1' })).rejects.toEqual(away)
  })

  test('the description is asked for once by those that come together, and again after a failure', async () => {
    const provider = fresh()
    const asked = () => forger.asked.filter((path) => path === DISCOVERY).length
    forger.answers[DISCOVERY] = json({}, 500)
    await expect(provider.urlOf(begun())).rejects.toEqual(away)
    delete forger.answers[DISCOVERY]
    const before = asked()
    await Promise.all(Array.from({ length: 10 }, () => provider.urlOf(begun())))
    await provider.urlOf(begun())
    expect(asked() - before).toBe(1)
  })
})
