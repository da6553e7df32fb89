import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { claimFolder } from '@svc/servers'
import { mesh } from '@svc/testing'
import { signUp } from '../journeys/merchant.ts'
import { generateClient, generatorJar } from './generator.ts'

/**
 * Clients in Python and Go, generated from openapi.json by openapi-generator: each compiles, places an order on a mesh, reads it
 * back, lists a page, and gets the refusal of a bad body as a type. Ends with 1 where one does not. Takes JDK, Maven, Python, Go.
 *
 *   npm run test:clients
 */
const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const folder = join(claimFolder(join(root, '.local/test')), 'clients')
const [python, go] = [join(folder, 'python'), join(folder, 'go')]
const PYTHON_NEEDS = [
  'pydantic==2.14.3',
  'urllib3==2.8.0',
  'python-dateutil==4.0.0',
  'typing-extensions==4.16.0',
  'lazy-imports==1.2.0',
]

const jar = await generatorJar()
await Promise.all([preparePython(), prepareGo()])
const system = await mesh({ spans: false })
try {
  await places('Python', join(python, 'venv/bin/python'), [join(python, 'place_order.py')])
  await places('Go', join(go, 'place-order'), [])
} finally {
  await system.stop()
}

async function preparePython(): Promise<void> {
  await generateClient(jar, 'python', python)
  await run('python3', ['-m', 'venv', join(python, 'venv')])
  await run(join(python, 'venv/bin/pip'), ['install', '--quiet', ...PYTHON_NEEDS])
  copyFileSync(join(import.meta.dirname, 'place_order.py'), join(python, 'place_order.py'))
  await run(join(python, 'venv/bin/python'), ['-m', 'compileall', '-q', join(python, 'openapi_client')])
}

async function prepareGo(): Promise<void> {
  await generateClient(jar, 'go', go)
  mkdirSync(join(go, 'example'))
  copyFileSync(join(import.meta.dirname, 'place_order.go'), join(go, 'example/main.go'))
  await run('go', ['build', '-o', 'place-order', './example'], { cwd: go })
}

/** Runs the program of a language as a merchant of its own; what it prints is what the generated types gave it. */
async function places(language: string, program: string, args: string[]): Promise<void> {
  const { test } = await signUp(system.baseUrl)
  const key = test.headers['authorization']!.slice('Bearer '.length)
  const env = { PATH: process.env['PATH'], BASE_URL: system.baseUrl, API_KEY: key }
  const { stdout } = await run(program, args, { env, timeout: 60_000 })
  const wanted = /^placed ([0-9a-f-]{36})\nread \1 pending\nlisted 1 of 1\nrefused 400 invalid_delivery_window \S+\n$/
  console.log(`${language}:\n${stdout}`)
  if (!wanted.test(stdout)) {
    console.error(`${language} did not say what it should have`)
    process.exitCode = 1
  }
}
