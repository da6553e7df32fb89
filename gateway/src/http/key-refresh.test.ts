import { expect, test } from '@jest/globals'
import type { VerifyApiKeyResponse } from '@svc/contracts/admin/v1/credential_service'
import { keyRefresher, type Verdict } from './key-refresh.ts'

const TTL_MS = 5_000
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Keys k0, k1 … whose verdicts were asked for at 0, and calls that answer when they are told to. */
function underTest(count: number) {
  const keys = Array.from({ length: count }, (_, nth) => `k${nth}`)
  const verdict = (keyId: string, epoch: number, askedAtMs: number): Verdict => ({
    keyId,
    secretSha256: Buffer.alloc(32),
    answer: { verdict: 'active', key_id: keyId, epoch } as VerifyApiKeyResponse,
    askedAtMs,
  })
  const cache = new Map(keys.map((keyId) => [keyId, verdict(keyId, 1, 0)]))
  const calls: Array<{ keys: string[]; answer(): void; fail(): void }> = []
  const clock = { ms: 0 }
  const note = keyRefresher({
    ttlMs: TTL_MS,
    judge: (asked) =>
      new Promise((resolve, reject) => {
        const named = asked.map(({ keyId }) => keyId)
        calls.push({
          keys: named,
          answer: () => resolve(named.map((keyId) => verdict(keyId, 2, 0).answer)),
          fail: () => reject(new Error('admin is away')),
        })
      }),
    isCurrent: (digest, known) => cache.get(digest) === known,
    replace: (digest, fresh) => void cache.set(digest, fresh),
    now: () => clock.ms,
  })
  const use = async (which: readonly string[] = keys) => {
    for (const keyId of which) note(keyId, cache.get(keyId)!)
    await settled()
  }
  return { keys, cache, calls, clock, use, verdict }
}

test('keys in use are judged anew in one call, from when the first is due on, and none that nobody uses', async () => {
  const { keys, cache, calls, clock, use } = underTest(300)
  const [unused, ...inUse] = keys as [string, ...string[]]
  clock.ms = 3_000
  await use(inUse)
  expect(calls).toEqual([])
  clock.ms = 4_200
  await use(inUse.slice(0, 1))
  expect(calls.map((call) => call.keys.length)).toEqual([299])
  clock.ms = 4_900
  calls[0]?.answer()
  await settled()
  expect(cache.get(inUse[7]!)).toMatchObject({ answer: { epoch: 2 }, askedAtMs: 4_200 })
  expect(cache.get(unused)).toMatchObject({ answer: { epoch: 1 }, askedAtMs: 0 })
  await use(inUse)
  expect(calls.length).toBe(1)
})

test('what has run out before its turn comes is not renewed, for nobody has used it since', async () => {
  const { keys, cache, calls, clock, use, verdict } = underTest(2)
  const [idle, busy] = keys as [string, string]
  clock.ms = 3_000
  await use([idle])
  cache.set(busy, verdict(busy, 1, 4_000))
  clock.ms = 8_100
  await use([busy])
  expect(calls.map((call) => call.keys)).toEqual([[busy]])
})

test('no more than five hundred go in a call, and one call is under way at a time', async () => {
  const { calls, clock, use } = underTest(1_200)
  clock.ms = 4_500
  for (let nth = 0; nth < 3; nth++) {
    await use()
    expect(calls.length).toBe(nth + 1)
    calls[nth]?.answer()
    await settled()
  }
  expect(calls.map((call) => call.keys.length)).toEqual([500, 500, 200])
  expect(new Set(calls.flatMap((call) => call.keys)).size).toBe(1_200)
})

test('what was asked of a single key meanwhile stays, and what has gone does not come back', async () => {
  const { cache, calls, clock, use, verdict } = underTest(3)
  clock.ms = 4_500
  await use()
  const fresher = verdict('k1', 9, 4_600)
  cache.set('k1', fresher)
  cache.delete('k2')
  calls[0]?.answer()
  await settled()
  expect(cache.get('k0')).toMatchObject({ answer: { epoch: 2 } })
  expect(cache.get('k1')).toBe(fresher)
  expect(cache.has('k2')).toBe(false)
})

test('a call that fails changes no verdict, and is not made again at once', async () => {
  const { cache, calls, clock, use, verdict } = underTest(3)
  clock.ms = 4_100
  await use()
  calls[0]?.fail()
  await settled()
  await use()
  expect(calls.length).toBe(1)
  expect([...cache.values()].map(({ askedAtMs }) => askedAtMs)).toEqual([0, 0, 0])
  cache.set('k0', verdict('k0', 1, 1_000))
  clock.ms = 5_200
  await use()
  expect(calls.length).toBe(2)
})
