import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../..')

interface Import {
  file: string
  target: string
}

/** Every import of our own sources; relative targets are resolved to paths from the root. */
async function imports(): Promise<Import[]> {
  const found: Import[] = []
  for await (const file of glob('{gateway,services,libs}/**/src/**/*.ts', { cwd: root })) {
    if (file.includes('node_modules') || file.includes('/gen/') || file.endsWith('.test.ts')) continue
    const source = readFileSync(join(root, file), 'utf8')
    for (const [, specifier] of source.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (!specifier) continue
      const target = specifier.startsWith('.') ? relative(root, join(root, dirname(file), specifier)) : specifier
      found.push({ file, target })
    }
  }
  return found
}

const all = await imports()
const where = (file: RegExp, target: RegExp) => all.filter((i) => file.test(i.file) && target.test(i.target))

describe('who may import whom', () => {
  test('the scan sees the tree', () => {
    expect(all.length).toBeGreaterThan(200)
  })

  test('a service never imports the code of another service or of the gateway', () => {
    const crossing = all.filter(({ file, target }) => {
      const home = /^(services\/[^/]+|gateway)\//.exec(file)?.[1]
      if (!home) return false
      const other = /^(services\/[^/]+|gateway)\//.exec(target)?.[1]
      return (other !== undefined && other !== home) || /^@svc\/(order|webhook|admin|gateway)$/.test(target)
    })
    expect(crossing).toEqual([])
  })

  test('libraries import no service and no gateway', () => {
    expect(where(/^libs\//, /^(services|gateway)\/|^@svc\/(order|webhook|admin|gateway)$/)).toEqual([])
  })

  test('a domain is pure: no database, no network, no environment, nothing from the layers above it', () => {
    expect(
      where(
        /^services\/[^/]+\/src\/domain\//,
        /\/src\/(db|rpc|use-cases|consumers|messages)\/|\/src\/(context|config|service)\.ts|^@svc\/(database|outbox|kafka|grpc|config|logging)|^pg$|^@mikro-orm\/(?!core)|^node:(fs|http|https|tls|child_process)/,
      ),
    ).toEqual([])
  })

  test('use cases know neither rpcs nor consumers', () => {
    expect(where(/^services\/[^/]+\/src\/use-cases\//, /\/src\/(rpc|consumers)\//)).toEqual([])
  })

  test('a route file is data: no express, no database, no Redis', () => {
    expect(where(/^gateway\/src\/routes\//, /^(express|pg|ioredis|kafkajs)$|^@mikro-orm/)).toEqual([])
  })

  test('kafkajs stays behind one file', () => {
    expect(where(/./, /^kafkajs$/).map(({ file }) => file)).toEqual(['libs/kafka/src/driver.ts'])
  })
})
