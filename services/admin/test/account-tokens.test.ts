import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, onceAvailable } from '@svc/testing'
import { decodeJwt } from 'jose'
import { type MailingAdmin, mailingAdmin } from './mailing-admin.ts'
import { gatewayCaller, loginCaller, PASSWORD, publicCaller, refusal, signUp } from './start-admin.ts'

let admin: MailingAdmin
beforeAll(async () => {
  admin = await mailingAdmin()
})
afterAll(() => admin?.stop())

const NEXT = 'another horse battery'
const accounts = () => admin.accounts.as(publicCaller())
const request = (email: string) => accounts().requestPasswordReset({ email })
const reset = (token: string, password = NEXT) => accounts().confirmPasswordReset({ token, password })
const resend = (email: string) => accounts().resendEmailVerification({ email })
const confirm = (token: string) => accounts().confirmEmailVerification({ token })
const logIn = async (email: string, password: string) =>
  (await admin.credentials.as(publicCaller()).logIn({ email, password })).tokens!
const refresh = (token: string) => admin.credentials.as(publicCaller()).refreshToken({ refresh_token: token })

type Template = 'email_verification' | 'password_reset' | 'password_changed'

/** The tokens of the mails to the address, oldest first, once there are so many. */
const tokensOf = (email: string, template: Template, count: number) =>
  eventually(async () => {
    const mails = await admin.mailsTo(email, template)
    expect(mails).toHaveLength(count)
    return mails.map(({ token }) => token!)
  })

async function askedReset(email: string, count = 1): Promise<string> {
  await request(email)
  return (await tokensOf(email, 'password_reset', count)).at(-1)!
}

async function acts(merchantId: string): Promise<string[]> {
  const { rows } = await admin.worker.query<{ action: string }>(
    `SELECT substring(encode(payload, 'escape') FROM 'user\\.[a-z_]+') AS action FROM outbox
      WHERE merchant_id = $1 AND type = 'audit.recorded' AND encode(payload, 'escape') ~ 'user\\.[a-z_]+' ORDER BY seq`,
    [merchantId],
  )
  return rows.map(({ action }) => action)
}

const codes = async (attempts: Array<() => Promise<unknown>>): Promise<string[]> =>
  (await Promise.allSettled(attempts.map((attempt) => onceAvailable(attempt)))).map((one) =>
    one.status === 'fulfilled' ? 'ok' : (one.reason as { code: string }).code,
  )

async function at(shiftMs: number, work: () => Promise<void>): Promise<void> {
  try {
    await admin.database.shiftClock(shiftMs)
    await work()
  } finally {
    await admin.database.shiftClock(0)
  }
}

describe('the mail of a sign-up', () => {
  test('links to the page of the operator, and its token confirms the address, once', async () => {
    const { email, caller, merchantId } = await signUp(admin)
    const account = async () => (await admin.merchants.as(caller).getAccount({})).email_verified
    expect(await account()).toBe(false)
    const [token] = await tokensOf(email, 'email_verification', 1)
    const [mail] = await admin.mailsTo(email, 'email_verification')
    expect(mail!.text).toContain(`https://pages.example/account/verify-email?token=${token}`)
    await confirm(token!)
    expect(await account()).toBe(true)
    await expect(confirm(token!)).rejects.toEqual(refusal('invalid_token', { field: 'token' }))
    expect(await acts(merchantId)).toEqual(['user.email_verify'])
  })

  test('confirms once, whichever of ten that use its token at once it is', async () => {
    const { email, merchantId } = await signUp(admin)
    const [token] = await tokensOf(email, 'email_verification', 1)
    const answers = await codes(Array.from({ length: 10 }, () => () => confirm(token!)))
    expect(answers.toSorted()).toEqual([...Array(9).fill('invalid_token'), 'ok'])
    expect(await acts(merchantId)).toEqual(['user.email_verify'])
  })

  test('is followed by another one that ends its token, until the address is confirmed', async () => {
    const { email } = await signUp(admin)
    await tokensOf(email, 'email_verification', 1)
    await resend(` ${email.toUpperCase()} `)
    const [first, second] = await tokensOf(email, 'email_verification', 2)
    await expect(confirm(first!)).rejects.toEqual(refusal('invalid_token'))
    await confirm(second!)
    await resend(email)
    await eventually(async () =>
      expect((await admin.mailIntents(email)).map(({ mail }) => mail)).toEqual(['sent', 'sent', 'nobody']),
    )
  })

  test('has a token that ends after 48 hours', async () => {
    const { email } = await signUp(admin)
    const [token] = await tokensOf(email, 'email_verification', 1)
    await at(48 * 3_600_000 + 60_000, async () => {
      await expect(confirm(token!)).rejects.toEqual(refusal('token_expired'))
    })
    await confirm(token!)
  })
})

describe('a password that was forgotten', () => {
  test('is chosen anew by the token of a mail: log-ins by the former one end, and the address is confirmed; with it end the keys of who signed up with an address that nobody had confirmed', async () => {
    const { email, caller, merchantId } = await signUp(admin)
    const before = await logIn(email, PASSWORD)
    await reset(await askedReset(email))
    await expect(logIn(email, PASSWORD)).rejects.toEqual(refusal('unauthorized', { reason: 'invalid' }))
    await expect(refresh(before.refresh_token)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
    const { credential, sid, ep } = decodeJwt(before.access_token) as {
      credential: `user:${string}`
      sid: string
      ep: number
    }
    expect(Number(await admin.epochOf(credential))).toBeGreaterThan(ep)
    const verdict = await admin.credentials.as(gatewayCaller()).verifySession({ credential, session_id: sid })
    expect(verdict).toMatchObject({ verdict: 'revoked', epoch: ep + 1 })
    await expect(admin.credentials.as(caller).exchangeApiKey({})).rejects.toEqual(refusal('unauthorized'))
    const after = await logIn(email, NEXT)
    expect((await refresh(after.refresh_token)).tokens).toBeDefined()
    expect((await admin.merchants.as(caller).getAccount({})).email_verified).toBe(true)
    await eventually(async () => expect(await admin.mailsTo(email, 'password_changed')).toHaveLength(1))
    const [mail] = await admin.mailsTo(email, 'password_changed')
    expect(mail!.text).toContain('API keys and grants of the account have ended')
    expect(await acts(merchantId)).toEqual([
      'user.login',
      'user.password_reset_request',
      'user.password_reset',
      'user.login',
    ])
  })

  test('leaves the keys of an account whose address was confirmed before', async () => {
    const { email, caller } = await signUp(admin)
    const [token] = await tokensOf(email, 'email_verification', 1)
    await confirm(token!)
    await reset(await askedReset(email))
    expect((await admin.credentials.as(caller).exchangeApiKey({})).tokens).toBeDefined()
    await eventually(async () => {
      const [mail] = await admin.mailsTo(email, 'password_changed')
      expect(mail?.text).toContain('API keys go on working')
    })
  })

  test('is chosen by one of ten that use the token at once', async () => {
    const { email } = await signUp(admin)
    const token = await askedReset(email)
    const passwords = Array.from({ length: 10 }, (_, n) => `${NEXT} ${n}`)
    const answers = await codes(passwords.map((password) => () => reset(token, password)))
    expect(answers.toSorted()).toEqual([...Array(9).fill('invalid_token'), 'ok'])
    expect(await logIn(email, passwords[answers.indexOf('ok')]!)).toBeDefined()
  })

  test('is not chosen by a token of before, of another purpose, of nobody, or out of time', async () => {
    const { email } = await signUp(admin)
    const [verification] = await tokensOf(email, 'email_verification', 1)
    const first = await askedReset(email)
    const second = await askedReset(email, 2)
    const strange = [first, verification!, '', 'x', randomUUID(), `${second}x`, second.toLowerCase(), 'A'.repeat(64)]
    for (const token of strange)
      await expect(reset(token)).rejects.toEqual(refusal('invalid_token', { field: 'token' }))
    await at(3_600_000 + 60_000, async () => {
      await expect(reset(second)).rejects.toEqual(refusal('token_expired'))
    })
    // A password that is refused costs no token.
    await expect(reset(second, 'password123')).rejects.toEqual(refusal('validation_error', { field: 'password' }))
    await reset(second)
  })

  test('opens an account that strangers have locked', async () => {
    const { email } = await signUp(admin)
    for (let failure = 1; failure <= 10; failure++)
      await expect(logIn(email, 'not the password')).rejects.toEqual(refusal('unauthorized'))
    await expect(logIn(email, PASSWORD)).rejects.toEqual(refusal('rate_limited'))
    await reset(await askedReset(email))
    expect(await logIn(email, NEXT)).toBeDefined()
  })

  test('opens an account for its owner at once, also where wrong passwords came from a network that it knows', async () => {
    const { email } = await signUp(admin)
    const from = (ip: string, password: string) =>
      admin.credentials.as({ ...publicCaller(), ip }).logIn({ email, password })
    const networks = ['203.0.113.21', '203.0.114.21']
    for (const ip of networks) await from(ip, PASSWORD)
    for (const ip of [...networks, '203.0.115.21']) {
      for (let failure = 1; failure <= 10; failure++)
        await expect(from(ip, 'not the password')).rejects.toEqual(refusal('unauthorized'))
      await expect(from(ip, PASSWORD)).rejects.toEqual(refusal('rate_limited'))
    }
    await reset(await askedReset(email))
    for (const ip of [...networks, '203.0.115.21']) expect((await from(ip, NEXT)).tokens).toBeDefined()
  })

  test('is asked about with one and the same work for an address that nobody has', async () => {
    const email = `${randomUUID()}@nobody.example`
    await Promise.all([request(email), resend(email)])
    await eventually(async () =>
      expect((await admin.mailIntents(email)).map(({ state, mail }) => ({ state, mail }))).toEqual(
        Array(2).fill({ state: 'applied', mail: 'nobody' }),
      ),
    )
    expect(await admin.mailsTo(email)).toEqual([])
    for (const ask of [request, resend])
      await expect(ask('no address')).rejects.toEqual(refusal('validation_error', { field: 'email' }))
  })

  test('is mailed about once, with one token, when the provider took the mail and its answer was lost', async () => {
    const { email } = await signUp(admin)
    await tokensOf(email, 'email_verification', 1)
    await admin.control('faults', { provider: 'email-a', mode: 'reset_after_commit', count: 1 })
    await request(email)
    await eventually(
      async () =>
        expect(await admin.mailIntents(email)).toContainEqual({
          about: 'password_reset',
          state: 'applied',
          mail: 'sent',
        }),
      { timeoutMs: 60_000 },
    )
    const [token] = await tokensOf(email, 'password_reset', 1)
    await reset(token!)
  })

  test('leaves no token and no password in the database', async () => {
    const { email } = await signUp(admin)
    const token = await askedReset(email)
    const [verification] = await tokensOf(email, 'email_verification', 1)
    const tables = ['account_tokens', 'intent', 'users', 'outbox', 'login_failures']
    const read = tables.map((table) => `(SELECT coalesce(json_agg(t)::text, '') FROM ${table} t)`)
    const { rows } = await admin.worker.query<{ all: string }>(`SELECT ${read.join(' || ')} AS all`)
    for (const secret of [token, verification!, Buffer.from(token, 'base64url').toString('hex'), PASSWORD])
      expect(rows[0]!.all.includes(secret)).toBe(false)
  })
})

describe('a password that its owner changes', () => {
  const change = async (merchant: { merchantId: string; email: string }, current: string, next = NEXT) => {
    const { rows } = await admin.worker.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [merchant.email])
    const caller = loginCaller(merchant.merchantId, rows[0]!.id)
    await admin.accounts.as(caller).changePassword({ current_password: current, new_password: next })
  }

  test('ends every log-in and the links of before, keys live on', async () => {
    const merchant = await signUp(admin)
    const token = await askedReset(merchant.email)
    const before = await logIn(merchant.email, PASSWORD)
    await change(merchant, PASSWORD)
    await expect(refresh(before.refresh_token)).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
    await expect(reset(token)).rejects.toEqual(refusal('invalid_token'))
    await expect(logIn(merchant.email, PASSWORD)).rejects.toEqual(refusal('unauthorized'))
    expect(await logIn(merchant.email, NEXT)).toBeDefined()
    expect((await admin.credentials.as(merchant.caller).exchangeApiKey({})).tokens).toBeDefined()
    await eventually(async () => expect(await admin.mailsTo(merchant.email, 'password_changed')).toHaveLength(1))
    expect(await acts(merchant.merchantId)).toContain('user.password_change')
  })

  test('is changed by who logged in alone: no key and no token exchanged from one changes it', async () => {
    const { caller, email } = await signUp(admin)
    for (const other of [caller, { ...caller, sessionId: randomUUID() }])
      await expect(
        admin.accounts.as(other).changePassword({ current_password: PASSWORD, new_password: NEXT }),
      ).rejects.toEqual(refusal('forbidden', { reason: 'login_required' }))
    expect(await logIn(email, PASSWORD)).toBeDefined()
  })

  test('stays where the log-in that calls has ended since the gateway judged it', async () => {
    const { merchantId, email } = await signUp(admin)
    const { rows } = await admin.worker.query<{ id: string; epoch: number }>(
      'UPDATE users SET epoch = epoch + 1 WHERE email = $1 RETURNING id, epoch - 1 AS epoch',
      [email],
    )
    const [{ id, epoch }] = rows as [{ id: string; epoch: number }]
    const judged = { ...loginCaller(merchantId, id), credentialEpoch: epoch }
    await expect(
      admin.accounts.as(judged).changePassword({ current_password: PASSWORD, new_password: NEXT }),
    ).rejects.toEqual(refusal('unauthorized', { reason: 'revoked' }))
    expect(await logIn(email, PASSWORD)).toBeDefined()
  })

  test('is another one: the current one again is refused with its field, and ends no log-in', async () => {
    const merchant = await signUp(admin)
    const { refresh_token: token } = await logIn(merchant.email, PASSWORD)
    await expect(change(merchant, PASSWORD, PASSWORD)).rejects.toEqual(
      refusal('validation_error', { field: 'new_password' }),
    )
    expect((await refresh(token)).tokens).toBeDefined()
  })

  test('stays where the current one is wrong, and guesses count with those at the log-in', async () => {
    const merchant = await signUp(admin)
    for (let failure = 1; failure <= 10; failure++)
      await expect(change(merchant, 'not the password')).rejects.toEqual(
        refusal('forbidden', { field: 'current_password', reason: 'wrong_password' }),
      )
    await expect(change(merchant, PASSWORD)).rejects.toEqual(refusal('rate_limited'))
    await expect(logIn(merchant.email, PASSWORD)).rejects.toEqual(refusal('rate_limited'))
  })

  test('of ten changes at once from the same current one, one takes effect', async () => {
    const merchant = await signUp(admin)
    const answers = await codes(Array.from({ length: 10 }, (_, n) => () => change(merchant, PASSWORD, `${NEXT} ${n}`)))
    expect(answers.toSorted()).toEqual([...Array(9).fill('forbidden'), 'ok'])
    expect(await logIn(merchant.email, `${NEXT} ${answers.indexOf('ok')}`)).toBeDefined()
  })

  test('lets nobody in by the former one, however the log-in and the change fall', async () => {
    const merchant = await signUp(admin)
    const attempts = Array.from({ length: 6 }, () => logIn(merchant.email, PASSWORD))
    const changing = onceAvailable(() => change(merchant, PASSWORD))
    const [changed, ...logins] = await Promise.allSettled([changing, ...attempts])
    expect(changed.status).toBe('fulfilled')
    for (const one of logins) {
      if (one.status === 'fulfilled')
        await expect(refresh(one.value.refresh_token)).rejects.toEqual(refusal('unauthorized'))
    }
  })
})
