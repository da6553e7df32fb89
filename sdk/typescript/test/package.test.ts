import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { publint } from 'publint'
import { generated } from '../generate/generated.ts'
import { type Packed, packed } from './packed.ts'

const root = join(import.meta.dirname, '../../..')
const LARGEST_GZIPPED = 15_000

describe('the generated files', () => {
  test('are those that `npm run generate` makes of openapi.json', () => {
    const stale = Object.entries(generated()).filter(([path, text]) => readFileSync(path, 'utf8') !== text)
    expect(stale.map(([path]) => path)).toEqual([])
  })
})

describe('the package', () => {
  let sdk: Packed
  beforeAll(() => {
    sdk = packed('sdk/typescript', (dist) =>
      execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'sdk/typescript'), '--outDir', dist]),
    )
  })
  afterAll(() => sdk?.end())
  const scripts = () =>
    readdirSync(join(sdk.folder, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(sdk.folder, 'dist', name), 'utf8'))

  test(`is less than ${LARGEST_GZIPPED} bytes, gzipped`, () => {
    expect(gzipSync(scripts().join('')).length).toBeLessThan(LARGEST_GZIPPED)
  })

  test('needs nothing but the platform: no package, and nothing of Node alone', () => {
    const imported = scripts().flatMap((text) => [...text.matchAll(/from ['"]([^'"]+)['"]/g)].map(([, name]) => name!))
    expect(imported.filter((name) => !name.startsWith('./') && !name.startsWith('../'))).toEqual([])
    expect(scripts().join('')).not.toMatch(/\b(process|Buffer|require|__dirname)\b/)
  })

  test('has a type for everything that it exports', () => {
    const types = readFileSync(join(sdk.folder, 'dist/index.d.ts'), 'utf8')
    for (const name of ['DeliveryDispatch', 'DispatchError', 'verifyWebhook', 'Pages']) expect(types).toContain(name)
  })

  test('is packed so that publint finds nothing to say', async () => {
    const { messages } = await publint({ pack: { tarball: sdk.tarball.buffer }, strict: true })
    expect(messages).toEqual([])
  })

  test('gives every resolver of ES modules the types of what runs', async () => {
    const checked = await checkPackage(createPackageFromTarballData(sdk.tarball))
    if (!checked.types) throw new Error('The package has no types.')
    expect(Object.keys(checked.entrypoints)).toContain('.')
    // It has ES modules alone: the resolver before there were any finds nothing, and `require` is told so by its types.
    const problems = checked.problems.filter(
      (problem) =>
        !(problem.kind === 'NoResolution' && problem.resolutionKind === 'node10') &&
        problem.kind !== 'CJSResolvesToESM',
    )
    expect(problems).toEqual([])
  })
})
