import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createProviders, type Providers } from './server.ts'

const CALLBACK = 'http://127.0.0.1:8080/v1/public/auth/merchant-oidc/callback'
const VERIFIER = 'v'.repeat(43)

let providers: Providers

beforeEach(async () => {
  providers = createProviders()
  await providers.start()
})
afterEach(() => providers.stop())

/** What the browser takes back from the page. */
async function consented(more: Record<string, string> = {}): Promise<URL> {
  const asked = new URLSearchParams({
    client_id: 'owners',
    redirect_uri: CALLBACK,
    response_type: 'code',
    state: 's',
    nonce: 'n',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
  const answer = await fetch(`${providers.url()}/oidc/authorize?${asked.toString()}`, { redirect: 'manual' })
  return new URL(answer.headers.get('location') as string)
}

async function exchange(code: string | null, more: Record<string, string> = {}, client = 'owners') {
  const body = new URLSearchParams({ code: code ?? '', redirect_uri: CALLBACK, code_verifier: VERIFIER, ...more })
  const authorization = `Basic ${Buffer.from(`${client}:secret`).toString('base64')}`
  const answer = await fetch(`${providers.url()}/oidc/token`, { method: 'POST', headers: { authorization }, body })
  return { status: answer.status, body: (await answer.json()) as { id_token: string; error?: string } }
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())

test('a code is good once, for its client, callback and proof', async () => {
  const code = async () => (await consented()).searchParams.get('code')
  expect((await exchange(await code(), { code_verifier: 'w'.repeat(43) })).body.error).toBe('invalid_grant')
  expect((await exchange(await code(), { redirect_uri: 'https://elsewhere.example' })).body.error).toBe('invalid_grant')
  expect((await exchange(await code(), {}, 'operators')).body.error).toBe('invalid_grant')
  const good = await code()
  expect((await exchange(good)).status).toBe(200)
  expect((await exchange(good)).body.error).toBe('invalid_grant')
})

test('who logs in is named by the address of the page, else by the control route, else of the demonstration', async () => {
  const person = async (more: Record<string, string> = {}, client = 'owners') => {
    const back = await consented({ client_id: client, ...more })
    expect(back.searchParams.get('state')).toBe('s')
    return claimsOf((await exchange(back.searchParams.get('code'), {}, client)).body.id_token)
  }
  expect(await person()).toMatchObject({
    iss: `${providers.url()}/oidc`,
    aud: 'owners',
    nonce: 'n',
    email: 'owner@demo.localhost',
    email_verified: true,
  })
  expect((await person({}, 'operators')).email).toBe('ada@dispatch.localhost')
  await fetch(`${providers.url()}/__control/oidc/person`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'chosen@shop.test', email_verified: false, sub: 'p1' }),
  })
  expect(await person()).toMatchObject({ email: 'chosen@shop.test', email_verified: false, sub: 'p1' })
  expect((await person({ login_hint: 'named@shop.test' })).email).toBe('named@shop.test')
})

test('without the digest of a proof nobody gets a code', async () => {
  const back = await consented({ code_challenge_method: 'plain' })
  expect(Object.fromEntries(back.searchParams)).toEqual({ state: 's', error: 'invalid_request' })
})
