import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { builtCli } from './built.ts'

const cli = builtCli()
const LARGEST_BYTES = 100_000

describe('the program', () => {
  test('is one file, small, that starts without reading anything else of ours', async () => {
    expect(statSync(cli.program).size).toBeLessThan(LARGEST_BYTES)
    const imported = [...readFileSync(cli.program, 'utf8').matchAll(/from"([^"]+)"/g)].map(([, name]) => name)
    expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([])
  })

  test('tells its commands, and each of them its options', async () => {
    const { exit, stdout } = await cli.run([])
    expect([exit, stdout]).toEqual([0, expect.stringContaining('listen --forward-to URL')])
    const help = await cli.run(['orders', 'list', '--help'])
    expect([help.exit, help.stdout]).toEqual([0, expect.stringContaining('--external-id ID')])
  })

  test.each([
    [['ordres'], 'There is no command ordres'],
    [['orders', 'list', '--colour'], "Unknown option '--colour'"],
    [['orders', 'get'], 'ID lacks: dispatch orders get ID'],
    [['orders', 'list', '-n', 'many'], '--limit is a whole number'],
    [['listen'], 'listen --forward-to URL'],
    [['listen', '--forward-to', 'ftp://127.0.0.1/'], 'listen --forward-to URL'],
    [['listen', '--forward-to', 'x', '--from-now', '--from-start'], 'exclude each other'],
    [['orders', 'create', '/nowhere'], '/nowhere cannot be read'],
    [['logout', '-p', 'nobody'], 'There is no profile nobody'],
    [['status', '-p', 'nobody'], 'Nobody is logged in as nobody'],
  ])('%j ends with 2 and says what to do', async (args, message) => {
    const { exit, stderr } = await cli.run(args, {
      env: { DISPATCH_API_KEY: 'svc_test_x', DISPATCH_BASE_URL: 'http://127.0.0.1:1' },
    })
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test('ends with 3 where nobody answers', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const env = { DISPATCH_API_KEY: 'svc_test_x', DISPATCH_BASE_URL: `http://127.0.0.1:${port}` }
    const { exit, stderr, stdout } = await cli.run(['deliveries', 'retry', 'x', '--json'], { env })
    server.close()
    expect([exit, stderr]).toEqual([3, expect.stringContaining('No answer')])
    expect(JSON.parse(stdout)).toMatchObject({ error: 'no_answer' })
  })

  test('refuses to send a key in the clear, and a key that is none', async () => {
    const clear = await cli.run(['login', '--base-url', 'http://api.example'], { input: 'svc_test_x\n' })
    expect([clear.exit, clear.stderr]).toEqual([2, expect.stringContaining('must not travel in the clear')])
    const none = await cli.run(['login'], { input: 'hello\n' })
    expect([none.exit, none.stderr]).toEqual([2, expect.stringContaining('begins with svc_test_')])
  })

  test('with a key of the environment nothing is sent in the clear, and nothing of a profile changes', async () => {
    const live = { DISPATCH_API_KEY: 'svc_live_x' }
    expect(await cli.run(['status'], { env: live })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('DISPATCH_BASE_URL'),
    })
    const clear = await cli.run(['status'], { env: { ...live, DISPATCH_BASE_URL: 'http://api.example' } })
    expect(clear).toMatchObject({ exit: 2, stderr: expect.stringContaining('in the clear') })
    const path = join(cli.folder, 'profiles/a.json')
    const kept = JSON.stringify({ apiKey: 'svc_test_a', baseUrl: 'http://127.0.0.1:1', webhookSecret: 'of a' })
    mkdirSync(join(cli.folder, 'profiles'), { recursive: true })
    writeFileSync(path, kept)
    const env = { DISPATCH_API_KEY: 'svc_test_b', DISPATCH_BASE_URL: 'http://127.0.0.1:1' }
    expect((await cli.run(['listen', '--forward-to', 'http://127.0.0.1:1'], { env })).exit).toBe(3)
    expect(readFileSync(path, 'utf8')).toBe(kept)
    expect(readdirSync(cli.folder).toSorted()).toEqual(['dispatch.mjs', 'profiles'])
    rmSync(path)
  })

  test('that is interrupted while it waits for an answer ends at once, with 130', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const env = { DISPATCH_API_KEY: 'svc_test_x', DISPATCH_BASE_URL: `http://127.0.0.1:${port}` }
    const child = cli.start(['orders', 'list'], env)
    const [socket] = (await once(server, 'connection')) as [Socket]
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([130, null])
    socket.destroy()
    server.close()
  })

  test('asks for nothing that the oldest Node it promises does not have', () => {
    const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    expect(engines.node).toBe('>=20')
    expect(readFileSync(cli.program, 'utf8')).not.toMatch(
      /\b(groupBy|withResolvers|fromAsync|getOrInsert|isSubsetOf|isDisjointFrom|symmetricDifference|RegExp\.escape)\b/,
    )
  })

  test.each([
    ['orders', ''],
    ['orders', 'list', '--st'],
    ['listen', '--forward-to', 'x', '--from-n'],
    ['trigger', 'acc'],
  ])('completes %j %j in bash', async (...typed) => {
    const { stdout } = await cli.run(['completion', 'bash'])
    const words = ['dispatch', ...typed].map((word) => `'${word}'`).join(' ')
    const script = `${stdout}\nCOMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _dispatch; echo "\${COMPREPLY[*]}"`
    const completed = execFileSync('bash', ['-c', script]).toString().trim()
    expect(completed).toBe(
      { '': 'list get create assign cancel', '--st': '--status', '--from-n': '--from-now', acc: 'accept' }[
        typed.at(-1)!
      ],
    )
  })

  test.each(['bash', 'zsh', 'fish'])('completes commands in %s', async (shell) => {
    const { exit, stdout } = await cli.run(['completion', shell])
    expect([exit, stdout]).toEqual([
      0,
      expect.stringMatching(/login .*listen .*orders[^]*list get create assign cancel/),
    ])
  })
})

describe('verify', () => {
  const { vectors } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../docs/guides/webhook-vectors.json'), 'utf8'),
  ) as {
    vectors: Array<{ secret: string; event_id: string; body: string; signature_v1: string; signature_v2: string }>
  }
  const [vector] = vectors as [(typeof vectors)[number]]
  const check = async (signature: string, body = vector.body, secret = vector.secret, more: string[] = []) => {
    const file = join(cli.folder, `${randomUUID()}.json`)
    writeFileSync(file, body)
    const header = `X-Service-Signature: ${signature}; X-Service-Event-Id: ${vector.event_id}`
    return cli.run(['verify', file, '--header', header, '--json', ...more], {
      env: { DISPATCH_WEBHOOK_SECRET: secret },
    })
  }

  test('says that a webhook is ours', async () => {
    const { exit, stdout } = await check(vector.signature_v1)
    expect([exit, JSON.parse(stdout)]).toEqual([0, { valid: true, event: 'order.created', event_id: vector.event_id }])
    expect((await check(vector.signature_v2, vector.body, vector.secret, ['--tolerance', '9999999999'])).exit).toBe(0)
  })

  test('and otherwise which part is wrong', async () => {
    const reasons = await Promise.all([
      check(vector.signature_v1, `${vector.body}\n`),
      check(vector.signature_v1, vector.body, 'another-secret-0'),
      check('t=1,v2=00'),
      check('nonsense'),
    ])
    expect(reasons.map(({ exit, stdout }) => [exit, JSON.parse(stdout).reason])).toEqual([
      [1, 'signature_wrong'],
      [1, 'signature_wrong'],
      [1, 'too_old'],
      [1, 'signature_malformed'],
    ])
  })
})
