import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { claimFolder } from '@svc/servers'
import { mesh, receiver } from '@svc/testing'
import { packed } from '../../sdk/typescript/test/packed.ts'
import { answered, signUp } from '../journeys/merchant.ts'
import { inBrowser } from './runtimes/browser.ts'
import { onEdge } from './runtimes/edge.ts'

/**
 * The client, as it is packed, on Node 20, Deno, Bun, in workerd and in a headless Chromium, against one mesh: in each it places
 * orders, pages through them, is refused by a code, verifies a webhook that the mesh has sent, refuses a forged one, and follows
 * the log. The command line answers on Node 20. Ends with 1 where one of them does not. Takes Chromium (CHROMIUM says where,
 * `chromium` unless given) and npm's registry.
 *
 *   npm run test:runtimes
 */
const RUNTIMES = [`node-linux-${process.arch}@20.20.2`, 'deno@2.9.6', 'bun@1.4.5', 'workerd@1.20261117.1']

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const folder = join(claimFolder(join(root, '.local/test')), 'runtimes')
const bin = (name: string) => join(folder, 'node_modules/.bin', name)
const WANTED = {
  placed: 3,
  paged: true,
  refused: 'invalid_delivery_window',
  verified: 'order.delivered',
  forged: 'signature_wrong',
  followed: true,
}
const SECRET = 'at-least-sixteen-characters'

mkdirSync(folder, { recursive: true })
const sdk = packed('sdk/typescript', (dist) =>
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'sdk/typescript'), '--outDir', dist]),
)
try {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n')
  await run('npm', ['install', '--no-audit', '--no-fund', '--no-save', ...RUNTIMES, sdk.path], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  rmSync(join(folder, 'sdk'), { recursive: true, force: true })
  cpSync(join(sdk.folder, 'dist'), join(folder, 'sdk'), { recursive: true })
  for (const file of ['exercise.mjs', 'process.mjs', 'worker.mjs', 'page.html'])
    cpSync(join(import.meta.dirname, 'runtimes', file), join(folder, file))
} finally {
  sdk.end()
}

/** Five may sign up from one address within an hour. */
let signUps = 0
const system = await mesh({ spans: false })
try {
  const webhook = await aWebhook()
  const asked = { baseUrl: system.baseUrl, webhook }
  const program = join(folder, 'process.mjs')
  await asks('Node', bin('node'), (given) => spoken(bin('node'), [program], given))
  await asks('Deno', bin('deno'), (given) =>
    spoken(bin('deno'), ['run', '--quiet', '--allow-net', '--allow-read', program], given),
  )
  await asks('Bun', bin('bun'), (given) => spoken(bin('bun'), ['run', program], given))
  await asks('workerd', bin('workerd'), (given) => onEdge(folder, bin('workerd'), given))
  await asks('Chromium', process.env['CHROMIUM'] ?? 'chromium', (given) => inBrowser(folder, given))

  await asks('command line on Node 20', bin('node'), async ({ apiKey }) => {
    const cli = join(folder, 'dispatch.mjs')
    execFileSync(process.execPath, [join(root, 'cli/build.mjs'), cli])
    const env = { PATH: process.env['PATH'], DISPATCH_API_KEY: apiKey, DISPATCH_BASE_URL: system.baseUrl }
    await run(bin('node'), [cli, 'completion', 'bash'], { env })
    const { stdout } = await run(bin('node'), [cli, 'status', '--json'], { env })
    return JSON.parse(stdout).service === 'ready' ? JSON.stringify(WANTED) : stdout
  })

  async function asks(
    name: string,
    versioned: string,
    found: (given: typeof asked & { apiKey: string }) => Promise<string>,
  ): Promise<void> {
    const { test } = await signUp(system.baseUrl, `127.0.9.${++signUps}`)
    const apiKey = test.headers['authorization']!.slice('Bearer '.length)
    const version = (await run(versioned, ['--version'])).stdout.split('\n')[0]
    const answer = await found({ ...asked, apiKey }).catch((error: Error) => JSON.stringify({ failed: error.message }))
    const isRight = answer.trim() === JSON.stringify(WANTED)
    console.log(`${isRight ? 'ok' : 'NO'}  ${name}  ${version}${isRight ? '' : `\n${answer}`}`)
    if (!isRight) process.exitCode = 1
  }
} finally {
  await system.stop()
}

/** One that the mesh has sent, as it came. */
async function aWebhook() {
  const endpoint = await receiver()
  try {
    const { test } = await signUp(system.baseUrl)
    const set = { url: endpoint.url, secret: SECRET, enabled: true, signature_version: 'v2' }
    answered(200, await test.patch('/v1/me/outbound-webhook', set))
    answered(200, await test.post('/v1/me/outbound-webhook/test', { event: 'order.delivered' }))
    const { body, headers } = await endpoint.waitFor(() => true)
    return { body: body.toString(), headers: headers as Record<string, string>, secret: SECRET }
  } finally {
    await endpoint.close()
  }
}

async function spoken(program: string, args: string[], asked: object): Promise<string> {
  const child = run(program, args, { cwd: folder, timeout: 60_000, env: { PATH: process.env['PATH'], HOME: folder } })
  child.child.stdin!.end(JSON.stringify(asked))
  return (await child).stdout
}
