import { describe, expect, test } from '@jest/globals'
import { type File, files, importsOf } from './tree.ts'

/** What only tests and local runs may bring along. */
const FOR_TESTS =
  /^@svc\/(testing|mesh|servers)$|^@types\/|^(@jest\/globals|testcontainers|fast-check|socket\.io-client|geographiclib-geodesic|autocannon|oidc-provider)$/

/** Packages that run in production; the others are libraries of tests, the suites and what `npm start` runs. */
const IN_PRODUCTION = /^(gateway|services\/[^/]+|libs\/(?!testing\/|mesh\/|servers\/)[^/]+)\//

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** What in the tree would bring a library of tests into a production install, or be missing from it. */
function breaches(tree: readonly File[]): string[] {
  const manifests = tree
    .filter(({ path }) => path.endsWith('package.json'))
    .map(({ path, text }) => ({ folder: path.slice(0, -'package.json'.length), ...(JSON.parse(text) as Manifest) }))
  const found: string[] = []
  for (const { folder, name, dependencies = {}, devDependencies = {} } of manifests) {
    for (const dependency of Object.keys(dependencies)) {
      if (IN_PRODUCTION.test(folder) && FOR_TESTS.test(dependency)) found.push(`${name} depends on ${dependency}`)
    }
    for (const source of tree) {
      if (!source.path.startsWith(folder) || !source.path.endsWith('.ts')) continue
      const isTest = source.path.endsWith('.test.ts') || !source.path.startsWith(`${folder}src/`)
      for (const target of new Set(importsOf(source).map(packageOf))) {
        if (target === undefined || target === name || target in dependencies) continue
        // The runner's own package is installed once, at the root.
        if (isTest && (target in devDependencies || target === '@jest/globals')) continue
        found.push(`${source.path} imports ${target}`)
      }
    }
  }
  return found
}

/** The package of an import; undefined where it is a file of the repository or a module of Node. */
function packageOf(target: string): string | undefined {
  if (target.startsWith('node:') || target.endsWith('.ts') || target.endsWith('.mjs')) return undefined
  const [first = '', second = ''] = target.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

describe('what a production install brings', () => {
  test('sources import declared dependencies alone, and no library of tests is one', async () => {
    const tree = await files('{gateway,services/*,libs/*}/{package.json,{src,test}/**/*.ts}')
    expect(tree.length).toBeGreaterThan(1_000)
    expect(breaches(tree)).toEqual([])
  })

  test('a service that depends on a library of tests, or imports what it does not declare, is found', () => {
    const manifest = { name: '@svc/order', dependencies: { 'fast-check': '1' }, devDependencies: { pg: '1' } }
    const tree = [
      { path: 'services/order/package.json', text: JSON.stringify(manifest) },
      { path: 'services/order/src/main.ts', text: "import pg from 'pg'\nimport { z } from 'zod'\n" },
      { path: 'services/order/test/cancel.test.ts', text: "import pg from 'pg'\nimport { z } from 'zod/mini'\n" },
    ]
    expect(breaches(tree)).toEqual([
      '@svc/order depends on fast-check',
      'services/order/src/main.ts imports pg',
      'services/order/src/main.ts imports zod',
      'services/order/test/cancel.test.ts imports zod',
    ])
  })
})
