import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { adminCaller, eventually } from '@svc/testing'
import { type MailingAdmin, mailingAdmin } from './mailing-admin.ts'
import { PASSWORD, publicCaller, refusal, signUp } from './start-admin.ts'

let admin: MailingAdmin
beforeAll(async () => {
  admin = await mailingAdmin()
})
afterAll(() => admin?.stop())

const from = (ip: string) => admin.credentials.as({ ...publicCaller(), ip })
const fail = (email: string, ip: string) =>
  expect(from(ip).logIn({ email, password: 'not the password' })).rejects.toEqual(refusal('unauthorized'))
const locks = (email: string) => admin.mailsTo(email, 'login_locked')
const sent = (count: number) => Array(count).fill({ about: 'login_locked', state: 'applied', mail: 'sent' })

async function lock(email: string, ip: string) {
  for (let failure = 1; failure <= 10; failure++) await fail(email, ip)
  for (let refused = 1; refused <= 3; refused++)
    await expect(from(ip).logIn({ email, password: PASSWORD })).rejects.toEqual(refusal('rate_limited'))
}

describe('an account that wrong passwords have locked', () => {
  test('gets one mail that says so, from where and what to do, however many attempts follow', async () => {
    const { email } = await signUp(admin)
    await lock(email, '198.51.100.7')
    await eventually(async () => expect(await locks(email)).toHaveLength(1))
    const [mail] = await locks(email)
    expect(mail!.text).toContain('198.51.100.7')
    expect(mail!.text).toContain('choose another')
    expect(mail!.text).not.toContain('not the password')
    await eventually(async () => expect(await admin.mailIntents(email, 'login_locked')).toEqual(sent(1)))
  })

  test('gets another one for a lock after the first was lifted, within the same hour', async () => {
    const { email } = await signUp(admin)
    await from('203.0.113.11').logIn({ email, password: PASSWORD })
    await lock(email, '203.0.113.12')
    await eventually(async () => expect(await locks(email)).toHaveLength(1))
    await admin.accounts.as(publicCaller()).requestPasswordReset({ email })
    const [link] = await eventually(async () => {
      const mails = await admin.mailsTo(email, 'password_reset')
      expect(mails).toHaveLength(1)
      return mails
    })
    await admin.accounts.as(publicCaller()).confirmPasswordReset({ token: link!.token!, password: `${PASSWORD} anew` })
    for (let failure = 1; failure <= 10; failure++) await fail(email, '203.0.113.12')
    await eventually(async () => expect(await locks(email)).toHaveLength(2))
  })

  test('gets one too where it has logged in of late, of the lock of that network', async () => {
    const { email } = await signUp(admin)
    await from('203.0.113.7').logIn({ email, password: PASSWORD })
    await lock(email, '203.0.113.8')
    await eventually(async () => expect(await locks(email)).toHaveLength(1))
    expect((await locks(email))[0]!.text).toContain('From other networks you can log in')
  })

  test('of an operator gets one as well', async () => {
    const email = `${randomUUID()}@ops.example`
    await admin.operators.as(adminCaller()).createIdentity({ email, password: PASSWORD })
    for (let failure = 1; failure <= 10; failure++)
      await expect(
        admin.operators
          .as({ ...publicCaller(), ip: '198.51.100.9' })
          .logInOperator({ email, password: 'wrong password' }),
      ).rejects.toEqual(refusal('unauthorized'))
    await eventually(async () => expect(await locks(email)).toHaveLength(1))
  })

  test('gets it once the provider is back, and once', async () => {
    const { email } = await signUp(admin)
    await eventually(async () => expect(await admin.mailsTo(email, 'email_verification')).toHaveLength(1))
    await admin.control('faults', { provider: 'email-a', mode: 'reset_after_commit', count: 1 })
    await lock(email, '198.51.100.11')
    await eventually(async () => expect(await admin.mailIntents(email, 'login_locked')).toEqual(sent(1)), {
      timeoutMs: 60_000,
    })
    expect(await locks(email)).toHaveLength(1)
  })
})

test('an address that has no account is recorded alike and gets nothing', async () => {
  const email = `${randomUUID()}@nobody.example`
  await lock(email, '198.51.100.12')
  await eventually(async () =>
    expect(await admin.mailIntents(email)).toEqual([{ about: 'login_locked', state: 'applied', mail: 'nobody' }]),
  )
  expect(await admin.mailsTo(email)).toEqual([])
})
