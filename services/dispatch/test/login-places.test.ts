import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, riderCaller } from '@svc/testing'
import { refusal } from '../../admin/test/start-admin.ts'
import { newPhone, type Phones, visitor, withPhones } from './with-phones.ts'

const HOME = '203.0.113.7'
const WORK = '2001:db8:1:2::7'
/** A stranger's, in as many networks as there are numbers. */
const elsewhere = (n = 0) => `198.51.${n}.9`
const rateLimited = refusal('rate_limited')

let phones: Phones
let mesh: Phones['mesh']
beforeAll(async () => {
  phones = await withPhones({ OTP_COOLDOWN_SECONDS: '0' })
  mesh = phones.mesh
})
afterAll(() => phones.stop())

const request = (phone: string, ip?: string) =>
  mesh.riders({ ...visitor(), ip }).requestRiderLogin({ phone, is_test: false })
const verify = (phone: string, code: string, ip?: string) =>
  mesh.riders({ ...visitor(), ip }).verifyRiderLogin({ phone, code, is_test: false })
/** A code that is not the right one. */
const wrong = (code: string) => (code === '123456' ? '654321' : '123456')

/** The code of a request: a message of its own. */
async function codeAskedFor(phone: string, ip?: string): Promise<string> {
  const before = phones.codesSentTo(phone).length
  await request(phone, ip)
  return eventually(() => {
    const sent = phones.codesSentTo(phone)
    expect(sent).toHaveLength(before + 1)
    return sent[before]!
  })
}

/** A rider who has logged in from these networks. */
async function knownAt(...ips: string[]): Promise<string> {
  const phone = newPhone()
  await mesh.riders(visitor()).registerRider({ name: 'Musa', phone })
  for (const ip of ips) await verify(phone, await codeAskedFor(phone, ip), ip)
  return phone
}

/** What became of so many requests. */
async function ask(phone: string, times: number, ipOf: (n: number) => string | undefined): Promise<string[]> {
  const answers: string[] = []
  for (let n = 0; n < times; n++) {
    answers.push(
      await request(phone, ipOf(n)).then(
        () => 'sent',
        (error: { code: string }) => error.code,
      ),
    )
  }
  return answers
}

describe('who asks for codes in the name of a rider', () => {
  test('fifty times, from as many networks, has five sent and leaves the rider its own where it has logged in before', async () => {
    const phone = await knownAt(HOME)
    const answers = await ask(phone, 50, elsewhere)
    // One of the five of strangers was the first log-in.
    expect(answers.filter((answer) => answer === 'sent')).toHaveLength(4)
    expect(new Set(answers.slice(4))).toEqual(new Set(['rate_limited']))
    const neighbour = HOME.replace(/\d+$/, '201')
    await verify(phone, await codeAskedFor(phone, neighbour), HOME)
  })

  test('without an address counts as a stranger', async () => {
    const phone = await knownAt(HOME)
    expect(await ask(phone, 5, () => undefined)).toEqual(['sent', 'sent', 'sent', 'sent', 'rate_limited'])
    await codeAskedFor(phone, HOME)
  })

  test('from one network of the rider uses up the codes of that one alone', async () => {
    const phone = await knownAt(HOME, WORK)
    expect(await ask(phone, 6, () => HOME)).toEqual([...Array.from({ length: 5 }, () => 'sent'), 'rate_limited'])
    await verify(phone, await codeAskedFor(phone, WORK), WORK)
  })

  test('neither replaces the code that the rider asked for nor, by wrong tries, locks it out', async () => {
    const phone = await knownAt(HOME)
    const code = await codeAskedFor(phone, HOME)
    await codeAskedFor(phone, elsewhere())
    for (const attempts_left of [4, 3, 2, 1, 0])
      await expect(verify(phone, wrong(code), elsewhere(1))).rejects.toEqual(refusal('invalid_otp', { attempts_left }))
    await expect(verify(phone, wrong(code), elsewhere(2))).rejects.toEqual(refusal('otp_locked'))
    // Elsewhere the rider's own code has been tried five times too.
    await expect(verify(phone, code, elsewhere(3))).rejects.toEqual(refusal('otp_locked'))
    await verify(phone, code, HOME)
  })

  test('does not learn that the rider is logging in somewhere else', async () => {
    const [phone, unknown] = [await knownAt(HOME), newPhone()]
    await codeAskedFor(phone, HOME)
    const refusalOf = async (of: string) => verify(of, '000001', elsewhere()).catch((error: object) => ({ ...error }))
    const told = await Promise.all([refusalOf(phone), refusalOf(unknown)])
    expect(told[0]).toMatchObject({ code: 'invalid_otp' })
    // The code of the log-in before has been used up: as one that nobody has asked for.
    expect(told[0]).toEqual(told[1])
  })
})

describe('a log-in code', () => {
  test.each([
    ['asked for at home is good elsewhere', HOME, elsewhere(7)],
    ['asked for elsewhere is good at home', elsewhere(8), HOME],
    ['asked for at one network of the rider is good at the other', HOME, WORK],
  ])('%s, once', async (_what, asked, typed) => {
    const phone = await knownAt(HOME, WORK)
    const code = await codeAskedFor(phone, asked)
    await verify(phone, code, typed)
    for (const again of [asked, typed]) await expect(verify(phone, code, again)).rejects.toEqual(refusal('invalid_otp'))
  })

  test('ends with the log-in of another that was out for the phone', async () => {
    const phone = await knownAt(HOME)
    const [forStrangers, own] = [await codeAskedFor(phone, elsewhere()), await codeAskedFor(phone, HOME)]
    await verify(phone, own, HOME)
    await expect(verify(phone, forStrangers, HOME)).rejects.toEqual(refusal('invalid_otp'))
  })

  test('takes five wrong tries of its rider, however many codes are out', async () => {
    const phone = await knownAt(HOME)
    const codes = [await codeAskedFor(phone, elsewhere()), await codeAskedFor(phone, HOME)]
    const other = ['111111', '222222', '333333'].find((code) => !codes.includes(code))!
    const tries = await Promise.all(
      Array.from({ length: 10 }, () => verify(phone, other, HOME).catch((error: { code: string }) => error.code)),
    )
    expect(tries.map(String).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'invalid_otp'),
      ...Array.from({ length: 5 }, () => 'otp_locked'),
    ])
    for (const code of codes) await expect(verify(phone, code, HOME)).rejects.toEqual(refusal('otp_locked'))
  })

  test('is not to be had from a network that the rider left 31 days ago, once strangers have asked', async () => {
    const phone = await knownAt(HOME)
    const aged = await mesh.sql(
      `UPDATE login_networks SET at = app_now() - interval '31 days'
        WHERE rider_id IN (SELECT id FROM riders WHERE phone = $1) RETURNING 1`,
      [phone],
    )
    expect(aged).toHaveLength(1)
    await ask(phone, 4, elsewhere)
    await expect(request(phone, HOME)).rejects.toEqual(rateLimited)
  })
})

test('thirty messages to a number within an hour are all there are, and the last five are for the log-ins of its rider', async () => {
  const phone = await knownAt(HOME, WORK)
  const { rider_id } = await mesh.riders(visitor()).registerRider({ name: 'Musa', phone })
  const proof = () => mesh.riders(riderCaller(rider_id)).requestRiderPhoneOtp({ rider_id })
  // Two have gone out.
  for (let n = 2; n < 25; n++) await proof()
  await expect(proof()).rejects.toEqual(rateLimited)
  await expect(request(phone, elsewhere())).rejects.toEqual(rateLimited)
  const answers = await ask(phone, 6, (n) => (n < 3 ? HOME : WORK))
  expect(answers).toEqual([...Array.from({ length: 5 }, () => 'sent'), 'rate_limited'])
})
