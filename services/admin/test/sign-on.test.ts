import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PERMISSIONS, SCOPES, verifyToken } from '@svc/credentials'
import { adminCaller, eventually, onceAvailable, waitingFor } from '@svc/testing'
import { createLocalJWKSet, decodeJwt } from 'jose'
import pg from 'pg'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type Person,
  type StartedProvider,
  startIdentityProvider,
} from './identity-provider.ts'
import { type MailingAdmin, mailingAdmin } from './mailing-admin.ts'
import {
  approve,
  gatewayCaller,
  loginCaller,
  PASSWORD,
  publicCaller,
  refusal,
  signUp,
  startAdmin,
  verify,
} from './start-admin.ts'

const MERCHANT_CALLBACK = 'https://api.example/v1/public/auth/merchant-oidc/callback'
const OPERATOR_CALLBACK = 'https://api.example/v1/admin/auth/oidc/callback'

let merchants: StartedProvider
let operators: StartedProvider
let admin: MailingAdmin

const knobs = (audience: string, { issuer }: StartedProvider, redirectUrl: string) => ({
  [`${audience}_OIDC_ISSUER`]: issuer,
  [`${audience}_OIDC_CLIENT_ID`]: CLIENT_ID,
  [`${audience}_OIDC_CLIENT_SECRET`]: CLIENT_SECRET,
  [`${audience}_OIDC_REDIRECT_URL`]: redirectUrl,
})

beforeAll(async () => {
  merchants = await startIdentityProvider({ redirectUrl: MERCHANT_CALLBACK })
  operators = await startIdentityProvider({ redirectUrl: OPERATOR_CALLBACK, thinTokens: true })
  admin = await mailingAdmin({
    ...knobs('MERCHANT', merchants, MERCHANT_CALLBACK),
    ...knobs('OPERATOR', operators, OPERATOR_CALLBACK),
    OIDC_TIMEOUT_MS: '60s',
    OPERATOR_OIDC_SUCCESS_URL: 'https://console.example/welcome',
    OPERATOR_OIDC_VERIFIED_CLAIM: 'xms_edov',
  })
})

afterAll(async () => {
  await admin?.stop()
  await merchants?.stop()
  await operators?.stop()
})

const visitor = (ip?: string) => admin.signOn.as({ ...publicCaller(), ...(ip && { ip }) })
const begin = async () => (await visitor().beginMerchantSignOn({})).attempt!
const complete = (callback: object, ip?: string) =>
  onceAvailable(() => visitor(ip).completeMerchantSignOn({ callback: { secret: '', ...callback } }))

/** A log-in from its beginning to its end. */
async function signOn(person?: Person, ip?: string) {
  const { url, secret } = await begin()
  return complete({ secret, ...(await merchants.visit(url, person)) }, ip)
}

async function signOnOperator(person: Person) {
  const { url, secret } = (await visitor().beginOperatorSignOn({})).attempt!
  const callback = { secret, ...(await operators.visit(url, person)) }
  return onceAvailable(() => visitor().completeOperatorSignOn({ callback }))
}

/** A merchant whose owner has confirmed the address. */
async function confirmed() {
  const merchant = await signUp(admin)
  await admin.worker.query('UPDATE users SET email_verified_at = app_now() WHERE email = $1', [merchant.email])
  return merchant
}

const person = (email: string, more: object = {}): Person => ({
  sub: randomUUID(),
  email,
  email_verified: true,
  ...more,
})

/** What is on record about the resource, oldest first. */
async function recorded(resourceId: string, action: string): Promise<string[]> {
  const { rows } = await admin.worker.query<{ payload: string }>(
    `SELECT encode(payload, 'escape') AS payload FROM outbox
      WHERE type = 'audit.recorded' AND encode(payload, 'escape') LIKE '%' || $1 || '%'
        AND encode(payload, 'escape') LIKE '%' || $2 || '%' ORDER BY seq`,
    [resourceId, action],
  )
  return rows.map(({ payload }) => payload)
}

async function at(shiftMs: number, work: () => Promise<void>): Promise<void> {
  try {
    await admin.database.shiftClock(shiftMs)
    await work()
  } finally {
    await admin.database.shiftClock(0)
  }
}

describe('an owner who logs in at the identity provider', () => {
  test('gets a token pair like that of a log-in by password, and the log-in is on record', async () => {
    const { email, merchantId } = await confirmed()
    const { tokens, success_url } = await signOn(person(email.toUpperCase()))
    expect(tokens).toMatchObject({ expires_in: 3600, scopes: SCOPES, merchant_id: merchantId })
    expect([tokens!.is_test, success_url]).toEqual([undefined, undefined])
    const { sub, sid } = decodeJwt(tokens!.access_token) as { sub: string; sid: string }
    const verdict = await admin.credentials
      .as(gatewayCaller())
      .verifySession({ credential: `user:${sub}`, session_id: sid })
    expect(verdict.verdict).toBe('active')
    expect(
      (await admin.credentials.as(publicCaller()).refreshToken({ refresh_token: tokens!.refresh_token })).tokens,
    ).toBeDefined()
    expect(await recorded(sub, 'user.login')).toEqual([expect.stringContaining('oidc')])
    expect(await recorded(sub, 'sign_on.bind')).toHaveLength(1)
  })

  test('ends with another password as every log-in does', async () => {
    const { email } = await confirmed()
    const { tokens } = await signOn(person(email))
    await admin.accounts.as(publicCaller()).requestPasswordReset({ email })
    const [mail] = await onceThere(() => admin.mailsTo(email, 'password_reset'))
    await admin.accounts
      .as(publicCaller())
      .confirmPasswordReset({ token: mail!.token!, password: 'another horse battery' })
    const refreshed = admin.credentials.as(publicCaller()).refreshToken({ refresh_token: tokens!.refresh_token })
    await expect(refreshed).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
  })

  test('ends the password with which somebody signed up, and who came in by it: the click on a link may have been the victim’s', async () => {
    const { email } = await confirmed()
    const before = (await admin.credentials.as(publicCaller()).logIn({ email, password: PASSWORD })).tokens!
    const somebody = person(email)
    const { tokens } = await signOn(somebody)
    await expect(admin.credentials.as(publicCaller()).logIn({ email, password: PASSWORD })).rejects.toEqual(
      refusal('unauthorized', { reason: 'invalid' }),
    )
    const refresh = (refresh_token: string) => admin.credentials.as(publicCaller()).refreshToken({ refresh_token })
    await expect(refresh(before.refresh_token)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
    expect((await refresh(tokens!.refresh_token)).tokens).toBeDefined()
    const { sub, sid, ep } = decodeJwt(tokens!.access_token) as { sub: string; sid: string; ep: number }
    expect(ep).toBe(Number(await admin.epochOf(`user:${sub}`)))
    const verdict = await admin.credentials
      .as(gatewayCaller())
      .verifySession({ credential: `user:${sub}`, session_id: sid })
    expect(verdict.verdict).toBe('active')
    expect(await recorded(sub, 'user.password_end')).toHaveLength(1)
    const [mail] = await onceThere(() => admin.mailsTo(email, 'password_ended'))
    expect(mail!.text).toContain('no password any more')

    expect((await signOn(somebody)).tokens).toBeDefined()
    expect(await admin.mailsTo(email, 'password_ended')).toHaveLength(1)
  })

  test('ends the keys and grants of a business that may not trade live, for whoever signed up with the address may hold them', async () => {
    const { email, caller, merchantId } = await confirmed()
    const login = (await admin.credentials.as(publicCaller()).logIn({ email, password: PASSWORD })).tokens!
    const { sub, ep } = decodeJwt(login.access_token) as { sub: string; ep: number }
    const intruder = { ...loginCaller(merchantId, sub), credentialEpoch: ep }
    const made = { label: 'kept', scopes: [...SCOPES], is_test: true }
    const { api_key } = await admin.apiKeys.as(intruder).createApiKey(made)
    const other = await signUp(admin)
    const grantee = { grantee_merchant_id: other.merchantId, scopes: ['orders:read'] }
    await admin.grants.as(caller).createWorkspaceGrant(grantee)

    const somebody = person(email)
    const { tokens } = await signOn(somebody)
    expect((await verify(admin, api_key)).verdict).not.toBe('active')
    await expect(admin.credentials.as(caller).exchangeApiKey({})).rejects.toEqual(refusal('unauthorized'))
    const verdict = await admin.grants
      .as(gatewayCaller())
      .verifyWorkspaceGrant({ grantor_merchant_id: merchantId, grantee_merchant_id: other.merchantId })
    expect(verdict.verdict).toBe('none')
    // A request of the ended log-in that was judged before.
    await expect(admin.apiKeys.as(intruder).createApiKey(made)).rejects.toEqual(refusal('unauthorized'))
    const [mail] = await onceThere(() => admin.mailsTo(email, 'password_ended'))
    expect(mail!.text).toContain('API keys and grants of the account have ended')

    const own = decodeJwt(tokens!.access_token) as { sub: string; ep: number }
    const owner = { ...loginCaller(merchantId, own.sub), credentialEpoch: own.ep }
    const kept = (await admin.apiKeys.as(owner).createApiKey(made)).api_key
    // Another provider knows nobody yet; the owner has shown who it is all the same.
    await admin.worker.query(
      `WITH former AS (DELETE FROM sign_on_subjects WHERE user_id = $1 RETURNING *)
       INSERT INTO sign_on_subjects (audience, issuer, subject, user_id)
       SELECT audience, 'https://before.example', subject, user_id FROM former`,
      [own.sub],
    )
    await signOn(somebody)
    expect((await verify(admin, kept)).verdict).toBe('active')
  })

  test('keeps the keys of a business that may trade live: an operator has seen whose it is, and its orders go on', async () => {
    const { email, caller, merchantId } = await confirmed()
    await approve(admin, merchantId)
    await signOn(person(email))
    expect((await admin.credentials.as(caller).exchangeApiKey({})).tokens).toBeDefined()
    const [mail] = await onceThere(() => admin.mailsTo(email, 'password_ended'))
    expect(mail!.text).toContain('API keys go on working')
  })

  test('keeps a password that the link of a mail has chosen', async () => {
    const { email } = await confirmed()
    await admin.accounts.as(publicCaller()).requestPasswordReset({ email })
    const [mail] = await onceThere(() => admin.mailsTo(email, 'password_reset'))
    const password = 'another horse battery'
    await admin.accounts.as(publicCaller()).confirmPasswordReset({ token: mail!.token!, password })
    await signOn(person(email))
    expect((await admin.credentials.as(publicCaller()).logIn({ email, password })).tokens).toBeDefined()
  })

  test('is the person of the first log-in there: whoever gets the address later is refused, until a link unbinds it', async () => {
    const { email } = await confirmed()
    const [first, second] = [person(email), person(email)]
    await signOn(first)
    await expect(signOn(second)).rejects.toEqual(refusal('forbidden', { reason: 'other_subject' }))
    expect((await signOn(first)).tokens).toBeDefined()

    await admin.accounts.as(publicCaller()).requestPasswordReset({ email })
    const [mail] = await onceThere(() => admin.mailsTo(email, 'password_reset'))
    await admin.accounts
      .as(publicCaller())
      .confirmPasswordReset({ token: mail!.token!, password: 'another horse battery' })
    expect((await signOn(second)).tokens).toBeDefined()
    await expect(signOn(first)).rejects.toEqual(refusal('forbidden', { reason: 'other_subject' }))
  })

  test('is unbound together with the password or not at all: a reset that dies in between can be done again', async () => {
    const { email } = await confirmed()
    const [first, second] = [person(email), person(email)]
    await signOn(first)
    await admin.accounts.as(publicCaller()).requestPasswordReset({ email })
    const [mail] = await onceThere(() => admin.mailsTo(email, 'password_reset'))
    const reset = () =>
      admin.accounts.as(publicCaller()).confirmPasswordReset({ token: mail!.token!, password: 'another horse battery' })
    const owner = new pg.Client({ connectionString: admin.database.ownerUrl })
    await owner.connect()
    try {
      await owner.query(`
        CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$;
        CREATE TRIGGER no_room BEFORE DELETE ON sign_on_subjects FOR EACH STATEMENT EXECUTE FUNCTION no_room()`)
      await expect(reset()).rejects.toEqual(refusal('internal_error'))
      expect((await signOn(first)).tokens).toBeDefined()
      await owner.query('DROP TRIGGER no_room ON sign_on_subjects; DROP FUNCTION no_room')
    } finally {
      await owner.end()
    }
    await reset()
    expect((await signOn(second)).tokens).toBeDefined()
  })

  test('whose account has another password since the provider vouched for its address begins again: a link has unbound it from the person of before', async () => {
    const { email } = await confirmed()
    const [first, second] = [person(email), person(email)]
    await signOn(first)
    const { url, secret } = await begin()
    const callback = { secret, ...(await merchants.visit(url, first)) }
    const holder = await admin.worker.connect()
    try {
      await holder.query('BEGIN')
      const { rows } = await holder.query<{ id: string }>('SELECT id FROM users WHERE email = $1 FOR UPDATE', [email])
      const completed = visitor().completeMerchantSignOn({ callback })
      completed.catch(() => {})
      await eventually(async () => (await waitingFor(holder)) === 1)
      await holder.query('UPDATE users SET epoch = epoch + 1, password_by_mail = true WHERE id = $1', [rows[0]!.id])
      await holder.query('DELETE FROM sign_on_subjects WHERE user_id = $1', [rows[0]!.id])
      await holder.query('COMMIT')
      await expect(completed).rejects.toEqual(refusal('unauthorized', { reason: 'invalid' }))
    } finally {
      holder.release(true)
    }
    expect((await signOn(second)).tokens).toBeDefined()
  })

  test('is one account: a person whose address becomes that of another account does not enter that one', async () => {
    const [one, other] = [await confirmed(), await confirmed()]
    const somebody = person(one.email)
    await signOn(somebody)
    await expect(signOn({ ...somebody, email: other.email })).rejects.toEqual(
      refusal('forbidden', { reason: 'other_subject' }),
    )
  })

  test('with ten callbacks at once gets one token pair', async () => {
    const { email } = await confirmed()
    const { url, secret } = await begin()
    const callback = { secret, ...(await merchants.visit(url, person(email))) }
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => complete(callback)))
    const codes = outcomes.map((one) => (one.status === 'fulfilled' ? 'ok' : one.reason.code))
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1)
    expect(codes.filter((code) => code === 'invalid_token')).toHaveLength(9)
  })

  test('does not get around a lock that wrong passwords have set, and is remembered with its network', async () => {
    const { email } = await confirmed()
    const somebody = person(email)
    await signOn(somebody, '198.51.100.7')
    const from = (ip: string) => admin.credentials.as({ ...publicCaller(), ip })
    for (let failure = 1; failure <= 10; failure++)
      await expect(
        onceAvailable(() => from('203.0.113.7').logIn({ email, password: 'not the password' })),
      ).rejects.toEqual(refusal('unauthorized'))
    await expect(signOn(somebody, '203.0.113.8')).rejects.toEqual(refusal('rate_limited'))
    expect((await signOn(somebody, '198.51.100.9')).tokens).toBeDefined()
    await expect(from('198.51.100.10').logIn({ email, password: 'not the password' })).rejects.toEqual(
      refusal('unauthorized'),
    )
  })
})

/** The first of a list that fills by itself. */
async function onceThere<T>(list: () => Promise<T[]>): Promise<T[]> {
  return eventually(async () => {
    const found = await list()
    expect(found.length).toBeGreaterThan(0)
    return found
  })
}

describe('nobody comes in', () => {
  test('whose address has no account, and hears what to do; it is on record once an hour', async () => {
    const stranger = person(`${randomUUID()}@nowhere.example`)
    for (let attempt = 1; attempt <= 3; attempt++)
      await expect(signOn(stranger)).rejects.toEqual(refusal('forbidden', { reason: 'no_account' }))
    expect(await recorded(stranger.sub, 'sign_on.refuse')).toHaveLength(1)
  })

  test.each([
    ['says nothing about it', { email_verified: undefined }],
    ['says that it is not', { email_verified: false }],
    ['says no to it in a word', { email_verified: 'false' }],
  ])('whose address the provider has not verified: it %s', async (_name, claims) => {
    const { email } = await confirmed()
    const somebody = person(email, claims)
    await expect(signOn(somebody)).rejects.toEqual(refusal('email_not_verified', { reason: 'email_not_verified' }))
    const { rows } = await admin.worker.query('SELECT 1 FROM sign_on_subjects WHERE subject = $1', [somebody.sub])
    expect(rows).toEqual([])
  })

  test('into an account that has not confirmed its address: whoever made it may be another', async () => {
    const { email, merchantId } = await signUp(admin)
    const somebody = person(email)
    await expect(signOn(somebody)).rejects.toEqual(refusal('email_not_verified', { reason: 'account_not_verified' }))
    expect(await recorded(somebody.sub, 'sign_on.refuse')).toEqual([expect.stringContaining(merchantId)])
  })

  test('without an address, or with one in letters that only look like those of an account', async () => {
    await expect(signOn({ sub: randomUUID() })).rejects.toEqual(refusal('forbidden', { reason: 'email_missing' }))
    const { email } = await confirmed()
    // The Kelvin sign is written small as k.
    const alike = `k${email}`
    await admin.worker.query('UPDATE users SET email = $2 WHERE email = $1', [email, alike])
    await expect(signOn(person(`\u212a${email}`))).rejects.toEqual(refusal('forbidden', { reason: 'email_missing' }))
    expect((await signOn(person(alike))).tokens).toBeDefined()
  })

  test('who went away from the page of the provider', async () => {
    await expect(signOn()).rejects.toEqual(
      refusal('unauthorized', { reason: 'refused_by_provider', provider_error: 'access_denied' }),
    )
  })

  test('in another browser, with another state, or with the attempt of an operator', async () => {
    const { email } = await confirmed()
    const [mine, theirs] = [await begin(), await begin()]
    const back = await merchants.visit(mine.url, person(email))
    const operator = (await visitor().beginOperatorSignOn({})).attempt!
    for (const callback of [
      back,
      { ...back, secret: theirs.secret },
      { ...back, secret: operator.secret },
      { ...back, secret: mine.secret.slice(0, -1) },
      { ...back, secret: mine.secret, state: undefined },
      { ...back, secret: mine.secret, state: `${back['state']}x` },
      { secret: mine.secret, state: new URL(theirs.url).searchParams.get('state')!, code: back['code'] },
    ])
      await expect(complete(callback)).rejects.toEqual(refusal('invalid_token', { field: 'state' }))
    // None of that has used it up.
    expect((await complete({ ...back, secret: mine.secret })).tokens).toBeDefined()
  })

  test('by a code that was used, or that belongs to another attempt', async () => {
    const { email } = await confirmed()
    const [one, other] = [await begin(), await begin()]
    const somebody = person(email)
    const back = await merchants.visit(one.url, somebody)
    const otherBack = await merchants.visit(other.url, somebody)
    // The proof of the other attempt does not fit.
    await expect(complete({ ...otherBack, secret: other.secret, code: back['code'] })).rejects.toEqual(
      refusal('unauthorized', { reason: 'invalid' }),
    )
    const third = await begin()
    const thirdBack = await merchants.visit(third.url, somebody)
    await complete({ ...thirdBack, secret: third.secret })
    await expect(complete({ ...thirdBack, secret: third.secret })).rejects.toEqual(refusal('invalid_token'))
  })

  test('after ten minutes', async () => {
    const { email } = await confirmed()
    const { url, secret, max_age_seconds } = await begin()
    expect(max_age_seconds).toBe(600)
    const back = await merchants.visit(url, person(email))
    await at(11 * 60_000, async () => {
      await expect(complete({ ...back, secret })).rejects.toEqual(refusal('token_expired'))
    })
  })
})

describe('an operator who logs in at the identity provider', () => {
  const create = async (role?: 'administrator') => {
    const email = `${randomUUID()}@ops.example`
    const { identity } = await admin.operators.as(adminCaller()).createIdentity({ email, password: PASSWORD, role })
    return identity!
  }
  const vouched = (email: string): Person => ({ sub: randomUUID(), email, xms_edov: true })

  test('gets a token with the permissions of the role, that says how, and where to take it', async () => {
    const identity = await create('administrator')
    const { token, success_url } = await signOnOperator(vouched(identity.email))
    expect(token).toMatchObject({ expires_in: 3600, permissions: PERMISSIONS })
    expect(success_url).toBe('https://console.example/welcome')
    const { jwks_json } = await admin.credentials.as(gatewayCaller()).getJwks({})
    const verified = await verifyToken('admin', token!.access_token, createLocalJWKSet(JSON.parse(jwks_json)))
    expect(verified).toMatchObject({
      ok: true,
      claims: { sub: identity.id, auth: 'oidc', role: 'admin', credential: `operator:${identity.id}` },
    })
    expect(await recorded(identity.id, 'operator.login')).toEqual([expect.stringContaining('oidc')])
  })

  test('without a role may do nothing, without an identity is refused, and ends with the identity', async () => {
    const guest = await create()
    const somebody = vouched(guest.email)
    expect((await signOnOperator(somebody)).token!.permissions).toEqual([])
    await expect(signOnOperator(vouched(`${randomUUID()}@ops.example`))).rejects.toEqual(
      refusal('forbidden', { reason: 'no_account' }),
    )
    await expect(signOnOperator(vouched(guest.email))).rejects.toEqual(
      refusal('forbidden', { reason: 'other_subject' }),
    )
    await admin.operators.as(adminCaller()).deleteIdentity({ id: guest.id })
    const verdict = await admin.credentials
      .as(gatewayCaller())
      .verifySession({ credential: `operator:${guest.id}`, session_id: '' })
    expect(verdict.verdict).toBe('revoked')
    await expect(signOnOperator(somebody)).rejects.toEqual(refusal('forbidden', { reason: 'no_account' }))
  })

  test('is vouched for by the claim that was configured, and by no other', async () => {
    const { email } = await create('administrator')
    const somebody: Person = { sub: randomUUID(), email, email_verified: true }
    await expect(signOnOperator(somebody)).rejects.toEqual(
      refusal('email_not_verified', { reason: 'email_not_verified' }),
    )
  })
})

test('where no provider is configured, nobody is sent anywhere and nobody comes back', async () => {
  expect(await visitor().getMerchantSignOn({})).toEqual({ available: true })
  const without = await startAdmin({ RBAC_ENABLED: 'false' })
  try {
    const asked = without.signOn.as(publicCaller())
    const callback = { secret: 's', state: 's', code: 'c' }
    expect(await asked.getMerchantSignOn({})).toEqual({ available: false })
    await expect(asked.beginMerchantSignOn({})).rejects.toEqual(refusal('sso_not_configured'))
    await expect(asked.completeMerchantSignOn({ callback })).rejects.toEqual(refusal('sso_not_configured'))
    // The static token is all that operators have.
    await expect(asked.beginOperatorSignOn({})).rejects.toEqual(refusal('feature_disabled'))
    await expect(asked.completeOperatorSignOn({ callback })).rejects.toEqual(refusal('feature_disabled'))
  } finally {
    await without.stop()
  }
})
