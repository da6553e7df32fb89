import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, freePort, surroundingsOf } from '@svc/testing'
import { wallet } from '../src/service.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  MAIL_API_URL: 'none',
  BILLING_ENFORCEMENT: 'false',
  GRPC_TLS: 'off',
}
let around: Awaited<ReturnType<typeof surroundingsOf>>

beforeAll(async () => {
  around = await surroundingsOf(wallet)
})

afterAll(() => around?.release())

function started(settings: Record<string, string>) {
  const child = spawn(process.execPath, ['--conditions=source', 'src/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env['PATH'], ...around.env, ...PRODUCTION, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  return { child, exited: once(child, 'exit'), said: () => said }
}

test('in production a service ends that could write the topic of another, and names the topics', async () => {
  const { exited, said } = started({})
  expect((await exited)[0]).not.toBe(0)
  expect(said()).toContain('our user may write what only others write')
  expect(said()).toContain(`${around.prefix}svc.admin.v1`)
  expect(said()).not.toContain(`${around.prefix}svc.wallet.v1,`)
})

test('where it is told that something else keeps the topics, it starts', async () => {
  const port = await freePort()
  const { child, exited, said } = started({ KAFKA_ACL: 'off', OPS_PORT: String(port) })
  const ready = () => fetch(`http://127.0.0.1:${port}/health/ready`).then(({ ok }) => ok)
  await eventually(ready, { timeoutMs: 60_000 }).catch((error) => {
    throw new Error(said(), { cause: error })
  })
  child.kill('SIGTERM')
  expect((await exited)[0]).toBe(0)
})
