import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from '@jest/globals'

const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

function start(mode: string) {
  const child = fork(new URL('./fixtures/process.ts', import.meta.url), [mode], {
    execArgv: ['--conditions=source'],
    env: { ...process.env, NODE_OPTIONS: '', LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  running.push(child)
  const steps: string[] = []
  const lines: string[] = []
  child.on('message', (step: string) => steps.push(step))
  child.stdout?.on('data', (chunk: Buffer) => lines.push(chunk.toString()))
  const closed = once(child, 'close').then(([code]) => ({ code, steps, log: lines.join('') }))
  return { child, closed }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s stops the parts and exits 0, also when it is sent twice',
  async (signal) => {
    const { child, closed } = start('ordinary')
    await once(child, 'message')
    child.kill(signal)
    child.kill(signal)
    expect(await closed).toMatchObject({ code: 0, steps: ['started', 'draining', 'stopped'] })
  },
)

test('between the signal and the stop it says that it does not serve, and goes on for as long as it was told', async () => {
  const { child, closed } = start('drains')
  await once(child, 'message')
  const signalledAt = performance.now()
  child.kill('SIGTERM')
  expect(await closed).toMatchObject({ code: 0, steps: ['started', 'draining', 'stopped'] })
  expect(performance.now() - signalledAt).toBeGreaterThan(990)
})

test.each([
  ['rejection', 'nobody handles this'],
  ['exception', 'JSON'],
])('an unhandled %s is logged, stops the parts and exits 1', async (mode, message) => {
  const { code, steps, log } = await start(mode).closed
  expect({ code, stopped: steps.includes('stopped') }).toEqual({ code: 1, stopped: true })
  expect(log).toContain(message)
})

test('a service that cannot start says why and exits 1', async () => {
  const { code, log } = await start('start fails').closed
  expect(code).toBe(1)
  expect(log).toContain('no database')
})

test('a stop that fails is no clean exit', async () => {
  const { child, closed } = start('stop fails')
  await once(child, 'message')
  child.kill('SIGTERM')
  expect((await closed).code).toBe(1)
})
