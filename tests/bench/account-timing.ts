import { randomInt, randomUUID } from 'node:crypto'
import { mesh } from '@svc/testing'
import { Api, answered } from '../journeys/merchant.ts'
import { median, platform, rounded, table } from './report.ts'

/**
 * Whether the time of an answer tells that an address has an account: the same requests over HTTP for one that has and for
 * one that has not, in random order, one at a time. Ends with 1 where the medians are 5 ms or more apart.
 *
 *   node --conditions=source tests/bench/account-timing.ts [samples of each]
 */
const samples = Number(process.argv[2] ?? 500)
const GOAL_MS = 5
const UNLIMITED = '1000000'
const RATES = ['LOGIN', 'PASSWORD_RESET', 'PASSWORD_RESET_EMAIL', 'EMAIL_VERIFICATION', 'EMAIL_VERIFICATION_EMAIL']

const system = await mesh({
  environment: {
    LOGIN_FAILURES_PER_HOUR: UNLIMITED,
    RATE_LOGIN_PER_MINUTE: UNLIMITED,
    ...Object.fromEntries(RATES.map((name) => [`RATE_${name}_PER_HOUR`, UNLIMITED])),
  },
})
let isWithin = true
try {
  const api = new Api(system.baseUrl)
  const [known, unknown] = [`${randomUUID()}@shop.example`, `${randomUUID()}@shop.example`]
  const signup = { business_name: 'Corner Shop', email: known, password: `right ${randomUUID()}`, website: '' }
  answered(201, await api.post('/v1/public/merchants/signup', signup))
  const password = `wrong ${randomUUID()}`
  const asked: Array<[string, number, (email: string) => object]> = [
    ['/v1/public/login', 401, (email) => ({ email, password })],
    ['/v1/public/password-reset/request', 202, (email) => ({ email })],
    ['/v1/public/email-verification/resend', 202, (email) => ({ email })],
  ]

  const rows: Array<Array<string | number>> = []
  for (const [path, status, body] of asked) {
    const took = { known: [] as number[], unknown: [] as number[] }
    // The first ones warm up, and are forgotten.
    for (let left = -20; left < 2 * samples; left++) {
      const isKnown = randomInt(2) === 0
      const startedAt = performance.now()
      answered(status, await api.post(path, body(isKnown ? known : unknown)))
      if (left >= 0) took[isKnown ? 'known' : 'unknown'].push(performance.now() - startedAt)
    }
    const [withOne, without] = [median(took.known), median(took.unknown)]
    if (Math.abs(withOne - without) >= GOAL_MS) isWithin = false
    rows.push([
      path,
      `${took.known.length} / ${took.unknown.length}`,
      rounded(withOne, 2),
      rounded(without, 2),
      rounded(withOne - without, 2),
    ])
  }
  console.log(table(['path', 'samples', 'known ms', 'unknown ms', 'apart ms'], rows))
  console.log(`${platform()}; medians, goal: less than ${GOAL_MS} ms apart: ${isWithin ? 'met' : 'missed'}`)
} finally {
  await system.stop()
}
process.exitCode = isWithin ? 0 : 1
