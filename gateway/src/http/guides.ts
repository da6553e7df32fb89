import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join, posix } from 'node:path'
import { ServiceError } from '@svc/errors'
import type { Router } from 'express'
import type { AccessLog } from './access-log.ts'
import { guidePage } from './guide-page.ts'
import { onGet } from './operational.ts'
import { staticText } from './static-text.ts'

const FOLDER = dirname(createRequire(import.meta.url).resolve('@svc/guides/package.json'))
const BASE = '/docs/guides'
/** What belongs to the package and to no reader. */
const UNSERVED = new Set(['package.json', 'node_modules'])
/** Which guide is for whom: what is shown at the address of the folder itself. */
const INDEX = 'README.md'

const TYPES: Readonly<Record<string, string>> = { '.md': 'text/html; charset=utf-8', '.json': 'application/json' }
/** Programs are shown and copied, never run by a browser. */
const PROGRAM = 'text/plain; charset=utf-8'

type Answer = ReturnType<typeof staticText>

/** Serves the guides as pages and their programs as files, below /docs/guides. */
export function mountGuides(router: Router, accessLog: AccessLog, policy: string): void {
  const files = filesOf()
  const answers = new Map(files.filter((file) => file !== INDEX).map((file) => [nameOf(file), answerWith(file, files)]))
  const list = answerWith(INDEX, files)
  onGet(router, accessLog, BASE, async (request, response) => {
    response.setHeader('Content-Security-Policy', policy)
    await list(request, response)
  })
  // One route for all: a route each would be looked at by every request.
  onGet(router, accessLog, `${BASE}/*name`, async (request, response) => {
    const answer = answers.get((request.params['name'] as unknown as string[]).join('/'))
    if (!answer) throw new ServiceError('not_found', { message: `There is no such guide; see ${BASE}.` })
    response.setHeader('Content-Security-Policy', policy)
    await answer(request, response)
  })
}

const CACHE = 'no-cache'

function answerWith(file: string, files: readonly string[]): Answer {
  const contentType = TYPES[extname(file)] ?? PROGRAM
  const load = async () => {
    const bytes = await readFile(join(FOLDER, file))
    return isGuide(file) ? Buffer.from(guidePage(bytes.toString(), (href) => leadsTo(href, files)).html) : bytes
  }
  return staticText({ contentType, cacheControl: CACHE, load })
}

/** The address of what a guide links to; the API description is served elsewhere than it lies. */
function leadsTo(href: string, files: readonly string[]): string | undefined {
  if (/^https:|^#/.test(href)) return href
  const [path = '', fragment] = href.split('#', 2)
  const anchor = fragment === undefined ? '' : `#${fragment}`
  if (path === '../../gateway/openapi.json') return '/openapi.json'
  const file = posix.normalize(path)
  if (file === INDEX) return `${BASE}${anchor}`
  return files.includes(file) ? `${BASE}/${nameOf(file)}${anchor}` : undefined
}

const filesOf = (): string[] =>
  readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(FOLDER.length + 1))
    .filter((file) => !UNSERVED.has(file.split('/')[0] ?? ''))
    .toSorted()

const isGuide = (file: string): boolean => extname(file) === '.md'
const nameOf = (file: string): string => (isGuide(file) ? file.slice(0, -'.md'.length) : file)
