import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'

const ROOT = resolve(import.meta.dirname, '../..')
const readme = readFileSync(resolve(ROOT, 'README.md'), 'utf8')
const story = readme.slice(readme.indexOf('## A first signed webhook'), readme.indexOf('## Where things live'))
const blocks = [...story.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block!)
const receiverBlock = blocks.find((block) => block.startsWith('SECRET='))!

const running = sharedMesh('journeys')
let receiver: ChildProcess | undefined
afterAll(() => {
  receiver?.kill()
})

/** Starts the README's receiver on a free port; resolves with the port and what it will have printed. */
async function startReceiver(): Promise<{ port: string; output: () => string }> {
  let output = ''
  const command = `exec env ${receiverBlock.trim().replace(/ 9000$/, ' 0')}`
  receiver = spawn('bash', ['-c', command], { cwd: ROOT })
  receiver.stdout!.on('data', (chunk) => {
    output += chunk
  })
  const port = await eventually(() => /listening on port (\d+)/.exec(output)?.[1] ?? '')
  return { port, output: () => output }
}

test('a newcomer who copies the README gets seven signed webhooks', async () => {
  const { port, output } = await startReceiver()
  const script = blocks
    .filter((block) => block !== receiverBlock)
    .join('\n')
    .replaceAll('http://127.0.0.1:8080', running.baseUrl)
    .replaceAll('127.0.0.1:9000', `127.0.0.1:${port}`)
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: ROOT, timeout: 60_000 })
  expect(stdout).toMatch(/accepted\npicked_up\ndelivered\n/)
  const lines = await eventually(() => {
    const verified = output().match(/^signature ok .*$/gm) ?? []
    expect(verified).toHaveLength(7)
    return verified
  })
  expect(new Set(lines.map((line) => line.split(/\s+/).slice(2, 5).join(' ')))).toEqual(
    new Set([
      'order.created 1 pending',
      'order.rider_assigned 2 accepted',
      'order.accepted 3 accepted',
      'order.picked_up 4 picked_up',
      'order.status_updated 5 picked_up',
      'order.delivered 6 delivered',
      'order.status_updated 7 delivered',
    ]),
  )
  expect(output()).not.toContain('BAD')
  receiver!.kill()
  await once(receiver!, 'exit')
})
