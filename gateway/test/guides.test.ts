import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault } from './vault.ts'

let upstream: Upstream
let running: Running
beforeAll(async () => {
  upstream = await startUpstream(await createVault())
  running = await startGateway(upstream)
})
afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})

const get = (path: string) => call(running.url, 'GET', path, { headers: { accept: 'text/html, */*;q=0.8' } })
const FOLDER = new URL('../../docs/guides/', import.meta.url)
const guides = readdirSync(FOLDER).flatMap((file) =>
  file.endsWith('.md') && file !== 'README.md' ? [file.slice(0, -3)] : [],
)
const linksOf = (html: string) => [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href as string)
const pages = ['/', '/docs', '/docs/guides', ...guides.map((name) => `/docs/guides/${name}`)]

describe.each(pages)('%s', (path) => {
  test('is a page under the policy of the reference, without a script of its own', async () => {
    const { status, headers, text } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    expect(text).not.toMatch(/<script>|javascript:|\son\w+=/)
  })

  test('links only to what answers 200, at a heading that is there', async () => {
    const { text } = await get(path)
    const links = linksOf(text).filter((href) => !href.startsWith('https://'))
    expect(links.length).toBeGreaterThan(1)
    for (const href of new Set(links)) {
      const { pathname, hash } = new URL(href, `${running.url}${path}`)
      const target = await get(pathname)
      expect([href, target.status]).toEqual([href, 200])
      if (hash) expect([href, target.text.includes(`id="${decodeURIComponent(hash.slice(1))}"`)]).toEqual([href, true])
    }
  })
})

test('every guide is on the list, below a heading that says for whom it is', async () => {
  const { text } = await get('/docs/guides')
  expect(linksOf(text)).toEqual(expect.arrayContaining(guides.map((name) => `/docs/guides/${name}`)))
  for (const audience of ['merchants', 'riders-apps', 'operators', 'providers']) {
    expect(text).toMatch(new RegExp(`<h2 id="${audience}`))
  }
})

test('the quick start is the first guide wherever guides are named', async () => {
  for (const page of ['/', '/docs', '/docs/guides']) {
    const [first] = linksOf((await get(page)).text).filter((href) => href.startsWith('/docs/guides/'))
    expect([page, first]).toEqual([page, '/docs/guides/quick-start'])
  }
})

test('whoever opens the address in a browser finds guides, reference, descriptions and health', async () => {
  const { text } = await get('/')
  const found = linksOf(text)
  for (const href of [
    '/docs',
    '/docs/guides',
    '/docs/guides/changelog',
    '/openapi.json',
    '/asyncapi.json',
    '/health/ready',
  ])
    expect(found).toContain(href)
})

test('a program that asks for the address gets the same ways as JSON', async () => {
  for (const accept of ['*/*', 'application/json', 'text/html;q=0.5, application/json']) {
    const { status, headers, body } = await call(running.url, 'GET', '/', { headers: { accept } })
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
      200,
      'application/json',
      'Accept-Encoding, Accept',
    ])
    for (const path of Object.values<string>(body)) expect([path, (await get(path)).status]).toEqual([path, 200])
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['quick_start', 'guides', 'reference', 'openapi', 'health']),
    )
  }
})

test('the reference sends an API key unless a reader chooses another credential', async () => {
  const { text } = await get('/docs/start.js')
  expect(text).toContain("preferredSecurityScheme: 'apiKey'")
  const { body } = await get('/openapi.json')
  expect(Object.keys(body.components.securitySchemes)).toContain('apiKey')
})

test('the introduction of the API description and what is said of its tags lead to guides that are there', async () => {
  const { body } = await get('/openapi.json')
  const texts = [body.info.description, ...body.tags.map(({ description }: { description: string }) => description)]
  const links = texts.flatMap((text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href as string))
  expect(links.length).toBeGreaterThan(25)
  for (const href of links) {
    const [path = '', heading] = href.split('#')
    const { status, text } = await get(path)
    expect([href, status, heading === undefined || text.includes(`id="${heading}"`)]).toEqual([href, 200, true])
  }
})

test('tables, code and headings of a guide are those of a page', async () => {
  const { text } = await get('/docs/guides/errors')
  expect(text).toContain('<title>Errors · Delivery Dispatch</title>')
  expect(text).toContain('<h2 id="what-to-do">What to do</h2>')
  expect(text).toMatch(/<table>[^]*<code>idempotency_in_progress<\/code>|<table>/)
  expect(text).toContain('<code class="language-json">')
})

test('the programs that verify webhooks are files, shown and not run', async () => {
  for (const name of readdirSync(new URL('verify-webhook/', FOLDER))) {
    const { status, headers } = await get(`/docs/guides/verify-webhook/${name}`)
    expect([name, status, headers.get('content-type')]).toEqual([name, 200, 'text/plain; charset=utf-8'])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('nothing else is read by that address', async () => {
  for (const name of [
    'nothing',
    'package.json',
    'webhooks.md',
    '../../README',
    '..%2f..%2fREADME.md',
    'verify-webhook',
    '%00',
    'x/../errors/',
  ]) {
    const { status, body } = await call(running.url, 'GET', `/docs/guides/${name.replace('../../', '%2e%2e/%2e%2e/')}`)
    expect([name, status, body?.error]).toEqual([name, 404, 'not_found'])
  }
})
