import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { Route } from '../../gateway/src/http/route.ts'
import { routes } from '../../gateway/src/routes/index.ts'
import { files } from './tree.ts'

interface Tree {
  /** The URLs of the routes that each file declares; files by their path below routes/, without `.ts`. */
  urls: Readonly<Record<string, readonly string[]>>
  /** The URLs of the whole table. */
  served: readonly string[]
  /** Lines of gateway/openapi.json. */
  lines: number
}

/** Room for every route of the catalogue and those of cash, with a line for what each field means. */
const MOST_LINES = 32_000

function breaches({ urls, served, lines }: Tree): string[] {
  const names = Object.keys(urls)
  const declared = Object.entries(urls).flatMap(([name, all]) => all.map((url) => ({ name, url })))
  return [
    ...declared.flatMap(({ name, url }) => {
      const found = fileOf(url, names)
      return found === name ? [] : [`${url} lies in ${name} and is looked for in ${found}`]
    }),
    ...declared.filter(({ url }) => !served.includes(url)).map(({ url }) => `${url} is not in the table`),
    ...(lines < MOST_LINES ? [] : [`openapi.json has ${lines} lines`]),
  ]
}

/** Where one looks: of the files whose names are the first words of the URL the longest. */
function fileOf(url: string, names: readonly string[]): string | undefined {
  const words = url.replace(/^\/v1/, '').replaceAll(/\/\{\w+\}/g, '')
  return names.filter((name) => `${words}/`.startsWith(`/${name}/`)).sort((a, b) => b.length - a.length)[0]
}

async function ourTree(): Promise<Tree> {
  const sources = await files('gateway/src/routes/**/*.ts')
  const [openapi] = await files('gateway/openapi.json')
  const loaded = sources
    .filter(({ path }) => !path.endsWith('/index.ts'))
    .map(async ({ path }) => {
      const file: { routes: readonly Route[] } = await import(join(import.meta.dirname, '../..', path))
      return [path.slice('gateway/src/routes/'.length, -'.ts'.length), file.routes.map((route) => route.path)] as const
    })
  return {
    urls: Object.fromEntries(await Promise.all(loaded)),
    served: routes.map(({ path }) => path),
    lines: openapi!.text.split('\n').length,
  }
}

describe('routes', () => {
  test('are found by the first words of their URLs, and openapi.json can be read', async () => {
    const tree = await ourTree()
    expect(tree.served.length).toBeGreaterThan(130)
    expect(breaches(tree)).toEqual([])
  })

  test('the law finds what breaks it', () => {
    const sample: Tree = {
      urls: {
        orders: ['/v1/orders', '/v1/orders/{id}/hold', '/v1/orders/{id}/trace'],
        'orders/trace': ['/v1/orders/{id}/trace/now'],
        me: ['/v1/me-too'],
        'webhooks/payments-a': ['/webhooks/payments-a/{merchantId}'],
      },
      served: [
        '/v1/orders',
        '/v1/orders/{id}/hold',
        '/v1/orders/{id}/trace',
        '/v1/me-too',
        '/webhooks/payments-a/{merchantId}',
      ],
      lines: 52_536,
    }
    expect(breaches(sample)).toEqual([
      '/v1/orders/{id}/trace lies in orders and is looked for in orders/trace',
      '/v1/me-too lies in me and is looked for in undefined',
      '/v1/orders/{id}/trace/now is not in the table',
      'openapi.json has 52536 lines',
    ])
  })
})
