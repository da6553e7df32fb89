import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import express, { type Request, type Response, Router } from 'express'
import { z } from 'zod'
import type { Provider } from '../provider.ts'
import { readOrder } from '../read-order.ts'
import type { World } from '../world.ts'

const NAME = 'oidc'
const TOKEN_SECONDS = 300
/** Who logs in where nobody else was named: the owner and an operator of the demonstration. */
const SOMEBODY = { operators: 'ada@dispatch.localhost' } as Readonly<Record<string, string>>
const OWNER = 'owner@demo.localhost'

const personSchema = z.strictObject({
  email: z.string(),
  email_verified: z.boolean().default(true),
  sub: z.string().optional(),
})

type Person = z.output<typeof personSchema>

/** What a code stands for, which is good once. */
interface Granted {
  clientId: string
  redirectUri: string
  nonce: string | undefined
  challenge: string
  person: Person
}

const base64url = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64url')
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const issuerOf = (request: Request): string => `${request.protocol}://${request.get('host')}/${NAME}`
const refuse = (response: Response, status: number, error: string): void => void response.status(status).json({ error })

/** Who comes to where tokens are. */
function clientOf(request: Request): { clientId: string; secret: string } | undefined {
  const [, credentials] = /^Basic (.+)$/.exec(request.get('authorization') ?? '') ?? []
  if (credentials === undefined) return undefined
  const parts = Buffer.from(credentials, 'base64').toString().split(':').map(decodeURIComponent)
  return { clientId: parts[0] ?? '', secret: parts[1] ?? '' }
}

/**
 * The identity provider: consents without a page, for the person whom `login_hint` names, else for the one that the control
 * route has chosen. A code is good once, for its client, callback and proof; tokens are signed by a key of this process.
 */
export function oidc(world: World): Provider {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = randomUUID()
  const codes = new Map<string, Granted>()
  let chosen: Person | undefined
  const router = Router()

  router.get('/.well-known/openid-configuration', (request, response) => {
    const issuer = issuerOf(request)
    response.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    })
  })

  router.get('/jwks', (_request, response) => {
    response.json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] })
  })

  router.get('/authorize', ({ query }, response) => {
    const { client_id, redirect_uri, state, nonce, code_challenge, code_challenge_method, login_hint } = query
    const [clientId, redirectUri] = [text(client_id), text(redirect_uri)]
    if (clientId === '' || !URL.canParse(redirectUri)) return refuse(response, 400, 'invalid_request')
    const back = new URL(redirectUri)
    if (state !== undefined) back.searchParams.set('state', text(state))
    if (code_challenge_method !== 'S256' || text(code_challenge) === '') {
      back.searchParams.set('error', 'invalid_request')
      return response.redirect(302, back.href)
    }
    const hinted = login_hint === undefined ? undefined : { email: text(login_hint), email_verified: true }
    const person = hinted ?? chosen ?? { email: SOMEBODY[clientId] ?? OWNER, email_verified: true }
    const code = randomUUID()
    const granted = { clientId, redirectUri, challenge: text(code_challenge), person }
    codes.set(code, { ...granted, nonce: nonce === undefined ? undefined : text(nonce) })
    back.searchParams.set('code', code)
    response.redirect(302, back.href)
  })

  router.post('/token', (request, response) => {
    const { clientId, secret } = clientOf(request) ?? {}
    if (!clientId || !secret) return refuse(response, 401, 'invalid_client')
    const sent = new URLSearchParams(text(request.body))
    const code = sent.get('code') ?? ''
    const granted = codes.get(code)
    codes.delete(code)
    const isTheirs =
      granted?.clientId === clientId &&
      granted.redirectUri === sent.get('redirect_uri') &&
      granted.challenge === sha256(sent.get('code_verifier') ?? '')
    if (!isTheirs) return refuse(response, 400, 'invalid_grant')
    const { person, nonce } = granted
    const iat = Math.floor(world.now().getTime() / 1000)
    const claims = { iss: issuerOf(request), aud: clientId, nonce, iat, exp: iat + TOKEN_SECONDS, ...person }
    const unsigned = [
      { alg: 'ES256', kid },
      { ...claims, sub: person.sub ?? sha256(person.email) },
    ]
      .map((part) => base64url(JSON.stringify(part)))
      .join('.')
    const signature = sign('sha256', Buffer.from(unsigned), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    const id_token = `${unsigned}.${base64url(signature)}`
    response.json({ access_token: randomUUID(), token_type: 'Bearer', expires_in: TOKEN_SECONDS, id_token })
  })

  const control = Router()
  control.post('/oidc/person', express.json(), (request, response) => {
    const person = readOrder(personSchema, request.body, response)
    if (!person) return
    chosen = person
    response.json(person)
  })

  return {
    name: NAME,
    router,
    control,
    reset() {
      codes.clear()
      chosen = undefined
    },
    bears: (request) => clientOf(request)?.secret,
    refusal: () => ({ error: 'server_error' }),
  }
}
