import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { parseApiKey, SCOPES } from '@svc/credentials'
import { onceAvailable } from '@svc/testing'
import { type Admin, PASSWORD, publicCaller, refusal, signUp, startAdmin, verify } from './start-admin.ts'

let admin: Admin
beforeAll(async () => {
  admin = await startAdmin()
})
afterAll(() => admin.stop())

const attempt = (fields: object, on: Admin = admin) =>
  on.merchants
    .as(publicCaller())
    .signUpMerchant({ business_name: 'A', email: 'a@example.com', password: PASSWORD, ...fields })

describe('signing up', () => {
  test('makes a merchant that can begin at once: a working test key with every scope, nothing live', async () => {
    const { merchant, api_key, key, email_verification_required } = await signUp(admin, { business_name: ' Mama Put ' })
    expect(merchant).toMatchObject({
      name: 'Mama Put',
      slug: 'mama-put',
      merchant_tier: 'pay_as_you_go',
      billing_status: 'active',
      kyb_status: 'not_submitted',
      business_approval_status: 'none',
      currency: 'NGN',
      version: 1,
    })
    expect(email_verification_required).toBe(false)
    expect(parseApiKey(api_key)).toMatchObject({ isTest: true })
    expect(key).toMatchObject({ is_test: true, scopes: SCOPES, prefix: api_key.slice(0, 21), last4: api_key.slice(-4) })
    expect(await verify(admin, api_key)).toMatchObject({
      verdict: 'active',
      is_test: true,
      scopes: SCOPES,
      standing: { merchant_id: merchant!.id, billing_status: 'active', kyb_status: 'not_submitted' },
    })
  })

  test('leaves a contact inquiry and announces the merchant, and keeps neither key nor password', async () => {
    const { merchantId, api_key, email } = await signUp(admin)
    const inquiries = await admin.worker.query(
      'SELECT source, email, review_status FROM contact_inquiries WHERE merchant_id = $1',
      [merchantId],
    )
    expect(inquiries.rows).toEqual([{ source: 'self_serve_signup', email, review_status: 'open' }])
    const facts = await admin.worker.query('SELECT type FROM outbox WHERE merchant_id = $1 ORDER BY seq', [merchantId])
    expect(facts.rows.map(({ type }) => type)).toEqual(['merchant.created', 'audit.recorded', 'audit.recorded'])
    const everything = await admin.worker.query(
      `SELECT (SELECT json_agg(k) FROM api_keys k)::text || (SELECT json_agg(u) FROM users u)::text
           || (SELECT string_agg(encode(payload, 'escape'), '') FROM outbox) AS all`,
    )
    expect(everything.rows[0].all).toMatch(/\$argon2id\$v=19\$m=19456,t=2,p=1,keyid=/)
    expect(everything.rows[0].all).not.toContain(api_key.slice(22))
    expect(everything.rows[0].all).not.toContain(PASSWORD)
  })

  test('takes an e-mail address once, in whatever case, and loses nothing of the first', async () => {
    const { email, merchantId } = await signUp(admin)
    await expect(attempt({ email: email.toUpperCase() })).rejects.toEqual(refusal('already_exists', { field: 'email' }))
    const { rows } = await admin.worker.query('SELECT merchant_id FROM users WHERE email = $1', [email])
    expect(rows).toEqual([{ merchant_id: merchantId }])
  })

  test('of fifty twins one wins', async () => {
    const twin = () => onceAvailable(() => attempt({ email: 'twins@example.com' }))
    const twins = await Promise.allSettled(Array.from({ length: 50 }, twin))
    expect(twins.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { rows } = await admin.worker.query("SELECT count(*)::int FROM merchants WHERE email = 'twins@example.com'")
    expect(rows[0].count).toBe(1)
  })

  test('gives merchants of one name slugs of their own', async () => {
    const slugs = await Promise.all(
      [1, 2, 3].map(async () => (await signUp(admin, { business_name: 'Same Name' })).merchant!.slug),
    )
    expect(new Set(slugs).size).toBe(3)
    for (const slug of slugs) expect(slug).toMatch(/^same-name(-[0-9a-f]{8})?$/)
  })

  test.each([
    [{ password: 'nine char' }, 'password', 'min_length'],
    [{ password: 'x'.repeat(129) }, 'password', 'max_length'],
    [{ email: 'nobody' }, 'email', 'format'],
    [{ business_name: '  ' }, 'business_name', 'length'],
    [{ phone: 'call me' }, 'phone', 'format'],
  ])('%j is refused with its field', async (fields, field, rule) => {
    await expect(attempt({ email: 'refused@example.com', ...fields })).rejects.toEqual(
      refusal('validation_error', { field, rule }),
    )
  })
})

test('signing up can be switched off', async () => {
  const closed = await startAdmin({ SIGNUP_ENABLED: 'false' })
  try {
    await expect(attempt({}, closed)).rejects.toEqual(refusal('feature_disabled'))
  } finally {
    await closed.stop()
  }
})
