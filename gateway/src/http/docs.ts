import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Router } from 'express'
import type { AccessLog } from './access-log.ts'
import { send } from './exchange.ts'
import { guideLinks, mountGuides } from './guides.ts'
import { onGet } from './operational.ts'
import { staticText } from './static-text.ts'

const BUNDLE = bundlePath()
const DIGEST = createHash('sha256').update(readFileSync(BUNDLE)).digest('base64url').slice(0, 16)

/** Where the program of the reference is: another program has another name, so that browsers never ask for one again. */
export const SCRIPT_PATH = `/docs/standalone.${DIGEST}.js`

const pageWith = (guides: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Delivery Dispatch API</title>
</head>
<body>
<details><summary>Guides</summary>${guides}</details>
<div id="app"></div>
<noscript>The API description is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="${SCRIPT_PATH}"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const START = `Scalar.createApiReference('#app', {
  url: '/openapi.json',
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
  const load = async () => Buffer.from(pageWith(await guideLinks()))
  const page = staticText({ contentType: 'text/html; charset=utf-8', cacheControl: 'no-cache', load })
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
