import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { Position } from '../src/position.ts'
import { Profiles } from '../src/profiles.ts'

const folder = mkdtempSync(join(tmpdir(), 'profiles-'))
afterAll(() => rmSync(folder, { recursive: true }))
const env = { DISPATCH_CONFIG_DIR: folder, DISPATCH_KEYRING: 'off' }

/** A process that logs in again and again, as a merchant of its own, by the name of a profile of its own and by a shared one. */
const LOG_IN = `
const { Profiles } = await import(process.env.PROFILES)
const profiles = new Profiles(process.env)
const own = process.env.OWN
for (let turn = 0; turn < 200; turn++)
  for (const name of [own, 'shared'])
    profiles.use(name, { baseUrl: 'https://' + own, apiKey: 'svc_test_' + own, merchantId: own })
`

test('processes that log in at once keep the profiles of each other, and tear none', async () => {
  const owns = ['a', 'b', 'c', 'd']
  const running = owns.map((own) =>
    spawn(process.execPath, ['--input-type=module', '-e', LOG_IN], {
      env: { ...env, OWN: own, PROFILES: join(import.meta.dirname, '../src/profiles.ts') },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  const ended = Promise.all(running.map((child) => once(child, 'exit')))
  let isOver = false
  void ended.then(() => (isOver = true))
  const profiles = new Profiles(env)
  while (!isOver) {
    // Whoever reads meanwhile has the key of one with the address of the same one.
    const shared = profiles.get('shared')
    if (shared) expect(shared.apiKey).toBe(`svc_test_${shared.merchantId}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await ended).map(([exit]) => exit)).toEqual([0, 0, 0, 0])
  for (const own of owns) expect(profiles.get(own)).toMatchObject({ apiKey: `svc_test_${own}`, merchantId: own })
  expect(readdirSync(join(folder, 'profiles')).toSorted()).toEqual([...owns, 'shared'].map((one) => `${one}.json`))
  expect(statSync(join(folder, 'profiles/shared.json')).mode & 0o777).toBe(0o600)
})

test('a log-in as another merchant has a secret of its own, one as the same merchant the one before', () => {
  const profiles = new Profiles(env)
  const secretAs = (merchantId: string) => {
    profiles.use('one', { baseUrl: 'https://one', apiKey: 'svc_test_1', merchantId })
    return profiles.get('one')!.webhookSecret
  }
  const [first, again, other] = [secretAs('m-1'), secretAs('m-1'), secretAs('m-2')]
  expect(first).toMatch(/^whsec_/)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

test('what a profile is called never leads out of the folder', () => {
  const profiles = new Profiles(env)
  for (const name of ['../../out', '..', 'a/b', 'mine and yours'])
    profiles.use(name, { baseUrl: 'https://one', apiKey: 'svc_test_1' })
  expect(profiles.all().map(({ name }) => name)).toEqual(expect.arrayContaining(['../../out', '..', 'a/b']))
  expect(readdirSync(folder).toSorted()).toEqual(['current', 'profiles'])
})

test('how far listening came is of a merchant, an environment and an address', () => {
  const profile = { baseUrl: 'https://one', apiKey: 'svc_test_1', environment: 'test', merchantId: 'm-1' } as const
  const at = (more: object, url = 'http://127.0.0.1:1') => new Position(folder, { ...profile, ...more }, url)
  at({}).keep('41')
  at({}).keep('42')
  expect(at({ apiKey: 'svc_test_2' }).get()).toBe('42')
  expect(
    [at({ merchantId: 'm-2' }), at({ environment: 'live' }), at({}, 'http://127.0.0.1:2')].map((one) => one.get()),
  ).toEqual([undefined, undefined, undefined])
})
