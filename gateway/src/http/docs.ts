import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Router } from 'express'
import type { AccessLog } from './access-log.ts'
import { send } from './exchange.ts'
import { mountFrontPage } from './front-page.ts'
import { ICON } from './guide-page.ts'
import { mountGuides } from './guides.ts'
import { onGet } from './operational.ts'
import { staticText } from './static-text.ts'

const BUNDLE = bundlePath()
const DIGEST = createHash('sha256').update(readFileSync(BUNDLE)).digest('base64url').slice(0, 16)

/** Where the program of the reference is: another program has another name, so that browsers never ask for one again. */
export const SCRIPT_PATH = `/docs/standalone.${DIGEST}.js`

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Delivery Dispatch API</title>
${ICON}
<style>
:root { --scalar-custom-header-height: 2.75rem }
body { margin: 0 }
#ways { position: sticky; top: 0; z-index: 1000; display: flex; gap: 1.25rem; align-items: center; height: 2.75rem; padding: 0 1.25rem;
  box-sizing: border-box; overflow-x: auto; white-space: nowrap; font: 15px system-ui, sans-serif;
  color: var(--scalar-color-1); background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color) }
#ways a { color: inherit; text-decoration: none }
#ways a:hover { text-decoration: underline }
</style>
</head>
<body>
<nav id="ways"><a href="/"><strong>Delivery Dispatch</strong></a> <a href="/docs/guides/quick-start">Quick start</a>
<a href="/docs/guides">Guides</a> <a href="/docs/guides/changelog">Changelog</a></nav>
<div id="app"></div>
<noscript>The API description is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="${SCRIPT_PATH}"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const START = `Scalar.createApiReference('#app', {
  url: '/openapi.json',
  // What most readers hold; a person, a rider or an operator chooses another.
  authentication: { preferredSecurityScheme: 'apiKey' },
  withDefaultFonts: false,
  telemetry: false,
  // Both lead to services of its maker.
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
})
`

// Everything comes from this server, and requests that a reader tries go to it alone.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The interactive API reference and the guides, from files of this installation alone. */
export function mountDocs(router: Router, accessLog: AccessLog): void {
  const load = () => Buffer.from(PAGE)
  const page = staticText({ contentType: 'text/html; charset=utf-8', cacheControl: 'no-cache', load })
  mountFrontPage(router, accessLog, POLICY)
  onGet(router, accessLog, '/docs', async (request, response) => {
    response.setHeader('Content-Security-Policy', POLICY)
    await page(request, response)
  })
  mountGuides(router, accessLog, POLICY)
  onGet(router, accessLog, '/docs/start.js', async (_request, response) => {
    send(response, 200, 'text/javascript; charset=utf-8', START)
  })
  const contentType = 'text/javascript; charset=utf-8'
  const cacheControl = 'public, max-age=31536000, immutable'
  onGet(router, accessLog, SCRIPT_PATH, staticText({ contentType, cacheControl, load: () => readFile(BUNDLE) }))
}

function bundlePath(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/api-reference')
  return join(dirname(entry), 'browser', 'standalone.js')
}
