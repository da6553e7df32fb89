import type { Router } from 'express'
import type { AccessLog } from './access-log.ts'
import { pageOf } from './guide-page.ts'
import { onGet } from './operational.ts'
import { staticText } from './static-text.ts'

/** Where everything begins, by the names that a program gets. */
const WAYS = {
  quick_start: '/docs/guides/quick-start',
  guides: '/docs/guides',
  reference: '/docs',
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  changelog: '/docs/guides/changelog',
  health: '/health/ready',
}

const BODY = `<h1>Delivery Dispatch</h1>
<p>Deliveries as an API: you place orders, riders carry them, and signed webhooks report every step.
A key of the sandbox is yours as you sign up; nothing is delivered or paid there.</p>
<p><a href="${WAYS.quick_start}"><strong>Quick start</strong></a>: from nothing to a signed webhook in ten minutes.</p>
<ul>
<li><a href="${WAYS.guides}">Guides</a> for <a href="/docs/guides#merchants-send-orders">merchants</a>,
<a href="/docs/guides#riders-apps">riders' apps</a>, <a href="/docs/guides#operators">operators</a> and
<a href="/docs/guides#providers-and-shops-that-post-to-us">providers</a></li>
<li><a href="${WAYS.reference}">API reference</a>: every call, with examples to try</li>
<li><a href="${WAYS.openapi}">openapi.json</a> (<a href="${WAYS.openapi}?audience=merchant">for merchants alone</a>) and, of the
sockets, <a href="${WAYS.asyncapi}">asyncapi.json</a></li>
<li><a href="${WAYS.changelog}">Changelog</a>, and <a href="/docs/guides/versions">what may change</a></li>
<li><a href="${WAYS.health}">Health</a> of this installation, now</li>
</ul>`

/** The address of the installation: a page for people, the same ways as JSON for programs. */
export function mountFrontPage(router: Router, accessLog: AccessLog, policy: string): void {
  const cacheControl = 'no-cache'
  const page = staticText({
    contentType: 'text/html; charset=utf-8',
    cacheControl,
    load: () => Buffer.from(pageOf('API', BODY)),
  })
  const ways = staticText({
    contentType: 'application/json',
    cacheControl,
    load: () => Buffer.from(JSON.stringify(WAYS)),
  })
  onGet(router, accessLog, '/', async (request, response) => {
    const isPage = request.accepts(['json', 'html']) === 'html'
    if (isPage) response.setHeader('Content-Security-Policy', policy)
    await (isPage ? page : ways)(request, response, 'Accept-Encoding, Accept')
  })
}
