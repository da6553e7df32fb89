import { createHmac, generateKeyPairSync, KeyObject, sign } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { TOKEN_KINDS } from '@svc/credentials'
import { call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault, type Vault } from './vault.ts'

let vault: Vault
let upstream: Upstream
let running: Running

beforeAll(async () => {
  vault = await createVault()
  upstream = await startUpstream(vault)
  running = await startGateway(upstream)
})

afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})

/** A class of token, a route for it and a good one. */
const CLASSES = [
  ['merchant', '/v1/orders', () => vault.login()],
  ['rider', '/v1/riders/me/dispatch-offers', () => vault.rider()],
  ['admin', '/v1/admin/orders', () => vault.operator()],
] as const

type Part = Record<string, unknown>

interface Good {
  token: string
  head: Part
  claims: Part
  kind: (typeof CLASSES)[number][0]
}

const encode = (part: unknown) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
const decode = (part = ''): Part => JSON.parse(Buffer.from(part, 'base64url').toString())

/** A token with these parts and what signs them. */
const assemble = (head: unknown, claims: unknown, signer: (input: Buffer) => Buffer) => {
  const input = `${encode(head)}.${encode(claims)}`
  return `${input}.${signer(Buffer.from(input)).toString('base64url')}`
}

const ours = (input: Buffer) => sign(null, input, KeyObject.from(vault.signing.privateKey))
const foreign = generateKeyPairSync('ed25519')
const theirs = (input: Buffer) => sign(null, input, foreign.privateKey)
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const unsigned = () => Buffer.alloc(0)
const without = (part: Part, name: string): Part => ({ ...part, [name]: undefined })
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600

/** Our public key, in each of the forms in which somebody may take it for a shared secret. */
function publicSecrets(): (string | Buffer)[] {
  const jwk = JSON.parse(vault.jwks).keys[0]
  const x = Buffer.from(jwk.x, 'base64url')
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), x])
  const pem = `-----BEGIN PUBLIC KEY-----\n${spki.toString('base64')}\n-----END PUBLIC KEY-----\n`
  return [x, jwk.x, JSON.stringify(jwk), vault.jwks, spki, pem, '']
}

const ATTACKS: Readonly<Record<string, (good: Good) => string[]>> = {
  'no algorithm': ({ head, claims, token }) =>
    ['none', 'None', 'NONE', 'nOnE', '', null, undefined].flatMap((alg) => {
      const bare = assemble({ ...head, alg }, claims, unsigned)
      return [bare, `${bare}${token.split('.')[2]}`]
    }),
  'a shared secret that is our public key': ({ head, claims }) =>
    publicSecrets().flatMap((secret) =>
      ([256, 384, 512] as const).map((bits) =>
        assemble({ ...head, alg: `HS${bits}` }, claims, (input) =>
          createHmac(`sha${bits}`, secret).update(input).digest(),
        ),
      ),
    ),
  'another algorithm': ({ head, claims }) => [
    assemble({ ...head, alg: 'RS256' }, claims, (input) => sign('sha256', input, rsa.privateKey)),
    assemble({ ...head, alg: 'ES256' }, claims, (input) =>
      sign('sha256', input, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }),
    ),
    assemble({ ...head, alg: 'Ed448' }, claims, ours),
    assemble({ ...head, alg: 'eddsa' }, claims, ours),
    assemble({ ...head, alg: ['EdDSA'] }, claims, ours),
  ],
  'a key that it brings along, or says where to get': ({ head, claims }) => {
    const jwk = foreign.publicKey.export({ format: 'jwk' })
    const der = foreign.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    return [
      { jwk },
      { jwk: { ...jwk, kid: head['kid'] } },
      { jku: `${running.url}/.well-known/jwks.json` },
      { x5u: 'https://example.com/keys.pem' },
      { x5c: [der] },
      {},
    ].map((more) => assemble({ ...head, ...more }, claims, theirs))
  },
  'a key id that is none of ours': ({ head, claims }) => [
    ...['other', '', '../../../../dev/null', '/dev/null', "' OR 1=1 --", '$(id)', '__proto__', 'k'.repeat(4000)].map(
      (kid) => assemble({ ...head, kid }, claims, ours),
    ),
    ...[undefined, null, 7, ['test'], { kid: 'test' }].map((kid) => assemble({ ...head, kid }, claims, theirs)),
  ],
  'another type': ({ head, claims, kind }) => {
    const others = Object.entries(TOKEN_KINDS).flatMap(([other, { typ }]) => (other === kind ? [] : [typ]))
    return [...others, 'JWT', '', 7, undefined].map((typ) => assemble({ ...head, typ }, claims, ours))
  },
  'another issuer': ({ head, claims }) =>
    ['other', 'SVC', '', undefined, null, 7].map((iss) => assemble(head, { ...claims, iss }, ours)),
  'another audience': ({ head, claims, kind }) => {
    const others = Object.entries(TOKEN_KINDS).flatMap(([other, { aud }]) => (other === kind ? [] : [aud]))
    return [...others, others, [], '', 'svc', undefined, null].map((aud) => assemble(head, { ...claims, aud }, ours))
  },
  'an extension that must be understood': ({ head, claims }) =>
    [{ crit: ['exp'] }, { crit: ['svc'], svc: 1 }, { crit: [] }, { crit: 'exp' }, { crit: ['b64'], b64: false }].map(
      (more) => assemble({ ...head, ...more }, claims, ours),
    ),
  'times of the future, or none': ({ head, claims }) => [
    ...['exp', 'iat', 'jti', 'sub'].map((name) => assemble(head, without(claims, name), ours)),
    ...[{ nbf: inAnHour() }, { iat: inAnHour() }, { nbf: 'now' }, { exp: `${inAnHour()}` }, { exp: null }].map((more) =>
      assemble(head, { ...claims, ...more }, ours),
    ),
  ],
  'claims that were changed after it was signed': ({ token, claims }) => {
    const [head, , signature] = token.split('.')
    const text = JSON.stringify(claims)
    const twice = (name: string, value: unknown) =>
      text.replace(/}$/, `,${JSON.stringify(name)}:${JSON.stringify(value)}}`)
    return [
      twice('sub', 'somebody-else'),
      twice('merchant_id', '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11'),
      twice('exp', inAnHour()),
      text.replace(/^{/, '{"role":"admin",'),
      JSON.stringify({ ...claims, scopes: ['keys:manage'], permissions: ['admin.rbac.manage'] }),
      ` ${text}`,
    ].map((changed) => `${head}.${encode(changed)}.${signature}`)
  },
  'a form that is no token': ({ token, head, claims }) => {
    const [first, second, third] = token.split('.') as [string, string, string]
    return [
      `${first}.${second}`,
      `${first}.${second}.`,
      `${first}..${third}`,
      `.${second}.${third}`,
      `${token}.`,
      `${token}.${third}`,
      `${first}.${second}.${third.slice(0, -4)}`,
      `${first}.${second}.${third}${third}`,
      `${first}.${second}.${third.split('').toReversed().join('')}`,
      `${first}.${second}.${third}.${second}.${third}`,
      JSON.stringify({ payload: second, signatures: [{ protected: first, signature: third }] }),
      `${token},${token}`,
      `${token} ${token}`,
      `${token}, Bearer ${token}`,
      ...['null', '[]', '7', '"text"', '{'].flatMap((json) => [
        assemble(json, claims, ours),
        assemble(head, json, ours),
      ]),
      'x'.repeat(12_000),
      '.'.repeat(12_000),
      assemble(head, { ...claims, sub: 'x'.repeat(6000) }, theirs),
    ]
  },
}

describe.each(CLASSES)('a token (%s)', (kind, path, make) => {
  const good = async (): Promise<Good> => {
    const token = await make()
    const [head, claims] = token.split('.')
    return { token, head: decode(head), claims: decode(claims), kind }
  }
  /** Whether a session lives is asked only of what is a token. */
  const asked = () => upstream.asked.map(({ rpc }) => rpc).filter((rpc) => rpc !== 'getJwks')

  test('put together as these tests do it is good', async () => {
    const { head, claims } = await good()
    const answer = await call(running.url, 'GET', path, { token: assemble(head, claims, ours) })
    expect(answer.status).toBe(200)
  })

  test.each(Object.entries(ATTACKS))('with %s is 401 and reaches no service', async (_name, forge) => {
    const forged = forge(await good())
    upstream.asked.length = 0
    for (const [nth, token] of forged.entries()) {
      const answer = await call(running.url, 'GET', path, { token })
      const { status, body } = answer
      expect([nth, token.slice(0, 200), status, body?.details?.reason]).toEqual([
        nth,
        token.slice(0, 200),
        401,
        'invalid',
      ])
    }
    expect(asked()).toEqual([])
  })

  test('anywhere but in Authorization is no credential', async () => {
    const { token } = await good()
    upstream.asked.length = 0
    const reasonOf = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await call(running.url, 'GET', path + query, { headers })
      return [answer.status, answer.body.details.reason]
    }
    for (const name of ['access_token', 'token', 'authorization', 'bearer'])
      expect([name, ...(await reasonOf(`?${name}=${token}`))]).toEqual([name, 401, 'missing'])
    for (const name of ['cookie', 'x-access-token', 'x-authorization', 'proxy-authorization'])
      expect([name, ...(await reasonOf('', { [name]: `token=${token}` }))]).toEqual([name, 401, 'missing'])
    expect(await reasonOf('', { 'x-api-key': token })).toEqual([401, 'invalid'])
    for (const scheme of ['', 'Token ', 'Basic ', 'JWT ', 'Bearer:', 'Bearer'])
      expect([scheme, ...(await reasonOf('', { authorization: scheme + token }))]).toEqual([scheme, 401, 'invalid'])
    expect(asked()).toEqual([])
  })

  test('of two megabytes is refused before it is read, and others are served on', async () => {
    const { token } = await good()
    upstream.asked.length = 0
    const answered = await new Promise<number | 'closed'>((resolve) => {
      const headers = { authorization: `Bearer ${token}${'A'.repeat(2 * 1024 * 1024)}` }
      const sent = request(running.url + path, { headers, agent: false }, (response) => {
        response.on('error', () => undefined).resume()
        resolve(response.statusCode ?? 0)
      })
      // The connection may end before the whole token is sent, and with it the answer.
      sent.on('error', () => resolve('closed')).end()
    })
    expect([431, 'closed']).toContain(answered)
    expect(asked()).toEqual([])
    expect((await call(running.url, 'GET', path, { token })).status).toBe(200)
  })
})
