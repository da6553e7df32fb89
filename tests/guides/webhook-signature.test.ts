import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'

interface Vector {
  name: string
  secret: string
  previous_secret?: string
  event_id: string
  timestamp: string
  body: string
  signature_v1: string
  signature_v2: string
  webhook_signature: string
  standard_webhooks_key: string
}

const GUIDES = resolve(import.meta.dirname, '../../docs/guides')
const PROGRAMS = join(GUIDES, 'verify-webhook')
const { vectors } = JSON.parse(readFileSync(join(GUIDES, 'webhook-vectors.json'), 'utf8')) as { vectors: Vector[] }
const folder = mkdtempSync(join(tmpdir(), 'webhook-signature-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bodyFile = (name: string, body: string): string => {
  const file = join(folder, name)
  writeFileSync(file, body)
  return file
}

const opensslHmac = (secret: string, content: Buffer, digest: 'hex' | 'base64'): string =>
  execFileSync(
    'openssl',
    ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${Buffer.from(secret).toString('hex')}`, '-binary'],
    {
      input: content,
    },
  ).toString(digest)

interface Language {
  name: string
  command: string
  /** Compiles once, where the language does; returns the program and its first arguments. */
  prepare: () => readonly [string, ...string[]]
}

const LANGUAGES: Language[] = [
  { name: 'Node', command: 'node', prepare: () => ['node', join(PROGRAMS, 'node.mjs')] },
  { name: 'Python', command: 'python3', prepare: () => ['python3', join(PROGRAMS, 'verify.py')] },
  {
    name: 'Go',
    command: 'go',
    prepare() {
      execFileSync('go', ['build', '-o', join(folder, 'verify-go'), join(PROGRAMS, 'verify.go')])
      return [join(folder, 'verify-go')]
    },
  },
  {
    name: 'Java',
    command: 'javac',
    prepare() {
      execFileSync('javac', ['-encoding', 'UTF-8', '-d', folder, join(PROGRAMS, 'Verify.java')])
      return ['java', '-XX:TieredStopAtLevel=1', '-cp', folder, 'Verify']
    },
  },
  { name: 'PHP', command: 'php', prepare: () => ['php', join(PROGRAMS, 'verify.php')] },
]

const exists = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

test('the published signatures are what openssl computes', () => {
  for (const { secret, previous_secret, event_id, timestamp, body, ...published } of vectors) {
    const raw = Buffer.from(body)
    const stamped = Buffer.concat([Buffer.from(`${event_id}.${timestamp}.`), raw])
    const secrets = [secret, ...(previous_secret ? [previous_secret] : [])]
    expect(published).toMatchObject({
      signature_v1: `v1=${opensslHmac(secret, raw, 'hex')}`,
      signature_v2: `t=${timestamp},${secrets.map((one) => `v2=${opensslHmac(one, stamped, 'hex')}`).join(',')}`,
      webhook_signature: secrets.map((one) => `v1,${opensslHmac(one, stamped, 'base64')}`).join(' '),
      standard_webhooks_key: Buffer.from(secret).toString('base64'),
    })
  }
})

describe.each(LANGUAGES)('the $name program of the guide', ({ name, command, prepare }) => {
  const available = exists(command)
  if (!available)
    process.stderr.write(`SKIPPED: the webhook guide's ${name} program, because ${command} is not installed\n`)
  const check = available ? test : test.skip
  let program: readonly [string, ...string[]]
  beforeAll(() => {
    if (available) program = prepare()
  }, 120_000)

  const verify = (...args: string[]): Promise<string> =>
    new Promise((settle) => {
      const [file, ...first] = program
      execFile(file, [...first, ...args], (error, stdout, stderr) => {
        const code = error ? Number(error.code) : 0
        settle(`${stdout.trim()} ${code}${stderr.trim() ? ` ${stderr.trim()}` : ''}`)
      })
    })
  const verifyV2 = (
    v: Vector,
    file: string,
    { secret = v.secret, id = v.event_id, signature = v.signature_v2, age = 0 } = {},
  ) => verify(secret, signature, file, id, '', String(Number(v.timestamp) + age))
  const verifyStandard = (v: Vector, file: string, { secret = v.secret, timestamp = v.timestamp, age = 0 } = {}) =>
    verify(secret, v.webhook_signature, file, v.event_id, timestamp, String(Number(v.timestamp) + age))

  check('accepts every published signature, by the new and by the previous secret', async () => {
    const answers = vectors.flatMap((vector, index) => {
      const file = bodyFile(`body-${index}`, vector.body)
      const secrets = [vector.secret, ...(vector.previous_secret ? [vector.previous_secret] : [])]
      return [
        verify(vector.secret, vector.signature_v1, file),
        ...secrets.flatMap((secret) => [verifyV2(vector, file, { secret }), verifyStandard(vector, file, { secret })]),
      ]
    })
    expect(await Promise.all(answers)).toEqual(answers.map(() => 'valid 0'))
  })

  const [vector] = vectors as [Vector, ...Vector[]]
  const file = bodyFile('good', vector.body)

  check('refuses a body in which one byte differs, and a signature by another secret', async () => {
    const changed = bodyFile('changed', vector.body.replace('pending', 'pendinG'))
    const secret = `${vector.secret}x`
    expect(
      await Promise.all([
        verify(vector.secret, vector.signature_v1, changed),
        verifyV2(vector, changed),
        verifyStandard(vector, changed),
        verify(secret, vector.signature_v1, file),
        verifyV2(vector, file, { secret }),
        verifyStandard(vector, file, { secret }),
      ]),
    ).toEqual(Array(6).fill('invalid 1'))
  })

  check('refuses a replay after 300 seconds, and a signature for another event or time', async () => {
    const second = String(Number(vector.timestamp) + 1)
    expect(
      await Promise.all([
        verifyV2(vector, file, { age: 300 }),
        verifyV2(vector, file, { age: 301 }),
        verifyV2(vector, file, { age: -301 }),
        verifyV2(vector, file, { id: '3e0f5cf4-2b8d-5a0e-9a53-1c9b2f0f4a02' }),
        verifyV2(vector, file, { signature: vector.signature_v2.replace(vector.timestamp, second) }),
        verifyStandard(vector, file, { age: -300 }),
        verifyStandard(vector, file, { age: -301 }),
        verifyStandard(vector, file, { age: 301 }),
        verifyStandard(vector, file, { timestamp: second }),
      ]),
    ).toEqual(['valid 0', ...Array(4).fill('invalid 1'), 'valid 0', ...Array(3).fill('invalid 1')])
  })

  check('refuses what is no signature, without falling over', async () => {
    const { signature_v1 } = vector
    const shapes = ['', 't=', 't=abc,v2=00', 'v1,é', `${signature_v1}0`, signature_v1.toUpperCase()]
    const answers = await Promise.all(
      shapes.map((signature) =>
        verify(vector.secret, signature, file, vector.event_id, vector.timestamp, vector.timestamp),
      ),
    )
    expect(answers).toEqual(shapes.map(() => 'invalid 1'))
  })
})

describe('the receiver of the guide', () => {
  let process_: ChildProcess
  let lines: Interface
  beforeAll(() => {
    process_ = spawn('node', [join(PROGRAMS, 'receiver.mjs'), '0'], {
      env: { ...process.env, SECRET: vectors[0]!.secret },
    })
    lines = createInterface(process_.stdout!)
  })
  afterAll(() => {
    lines.close()
    process_.kill()
  })

  test('takes an event that is ours once, however often it comes, and refuses what is not, or is signed without a time', async () => {
    const output = lines[Symbol.asyncIterator]()
    const port = /\d+$/.exec(String((await output.next()).value))?.[0]
    const { body, event_id: eventId, secret } = vectors[0]!
    const t = Math.floor(Date.now() / 1000)
    const v2 = createHmac('sha256', secret).update(`${eventId}.${t}.${body}`).digest('hex')
    const post = async (signature: string): Promise<[number, string]> => {
      const headers = { 'x-service-signature': signature, 'x-service-event-id': eventId }
      const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })
      return [status, String((await output.next()).value)]
    }
    expect(await post(`t=${t},v2=${v2}`)).toEqual([
      204,
      expect.stringContaining('signature ok  order.created 1 pending'),
    ])
    expect(await post(`t=${t},v2=${v2}`)).toEqual([204, expect.stringContaining('had it before order.created')])
    expect(await post(`t=${t - 301},v2=${v2}`)).toEqual([401, 'SIGNATURE BAD'])
    expect(await post(vectors[0]!.signature_v1)).toEqual([401, expect.stringContaining('not set to v2')])
  })
})
