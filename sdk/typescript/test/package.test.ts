import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { generated } from '../generate/generated.ts'

const root = join(import.meta.dirname, '../../..')
const LARGEST_GZIPPED = 15_000

describe('the generated files', () => {
  test('are those that `npm run generate` makes of openapi.json', () => {
    const stale = Object.entries(generated()).filter(([path, text]) => readFileSync(path, 'utf8') !== text)
    expect(stale.map(([path]) => path)).toEqual([])
  })
})

describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-'))
  beforeAll(() => {
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'sdk/typescript'), '--outDir', folder], {
      stdio: 'inherit',
    })
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const scripts = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))

  test(`is less than ${LARGEST_GZIPPED} bytes, gzipped`, () => {
    expect(gzipSync(scripts().join('')).length).toBeLessThan(LARGEST_GZIPPED)
  })

  test('needs nothing but the platform: no package, and nothing of Node alone', () => {
    const imported = scripts().flatMap((text) => [...text.matchAll(/from ['"]([^'"]+)['"]/g)].map(([, name]) => name!))
    expect(imported.filter((name) => !name.startsWith('./') && !name.startsWith('../'))).toEqual([])
    expect(scripts().join('')).not.toMatch(/\b(process|Buffer|require|__dirname)\b/)
  })

  test('has a type for everything that it exports', () => {
    const types = readFileSync(join(folder, 'index.d.ts'), 'utf8')
    for (const name of ['DeliveryDispatch', 'DispatchError', 'verifyWebhook', 'Pages']) expect(types).toContain(name)
  })
})
