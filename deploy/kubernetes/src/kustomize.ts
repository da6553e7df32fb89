import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { Manifest } from './manifest.ts'

const folder = join(import.meta.dirname, '..')
const OVERLAYS = ['dev', 'minimal', 'production'] as const
export type Overlay = (typeof OVERLAYS)[number]

/** The version that kustomize/go.mod pins; every version since the oldest that is taken renders the same text. */
const PINNED = '5.8.2'
const OLDEST = { major: 5, minor: 5 }
const own = join(folder, `../../.local/tools/kustomize-${PINNED}`)

/** A command whose last argument is the folder to render. */
type Renderer = readonly [program: string, ...words: string[]]

/**
 * What renders here: the kustomize that was built before, one of the machine, or one that Go builds now, once, in about a
 * minute. undefined where there is none of these.
 */
export function findRenderer(): Renderer | undefined {
  if (existsSync(own)) return [own, 'build']
  if (isRecent('kustomize', ['version'])) return ['kustomize', 'build']
  if (isRecent('kubectl', ['version', '--client'])) return ['kubectl', 'kustomize']
  return build()
}

/** What this process rendered, until a file changes: many tests look at the same few overlays. */
const rendered = new Map<string, { changedMs: number; manifests: Manifest[] }>()

/** The objects of an overlay; `live` is what Tilt makes of dev. Shared: nobody changes them. */
export function render(renderer: Renderer, overlay: Overlay | 'live'): readonly Manifest[] {
  const changedMs = lastChangeMs()
  const known = rendered.get(overlay)
  if (known?.changedMs === changedMs) return known.manifests
  const manifests = parseAllDocuments(renderText(renderer, overlay)).map((document) => document.toJS() as Manifest)
  rendered.set(overlay, { changedMs, manifests })
  return manifests
}

/** The same as it would be applied. */
export function renderText([program, ...words]: Renderer, overlay: Overlay | 'live'): string {
  return execFileSync(program, [...words, join(folder, 'overlays', overlay)], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
}

const lastChangeMs = (): number =>
  Math.max(
    ...['base', 'components', 'overlays']
      .flatMap((part) => readdirSync(join(folder, part), { recursive: true, withFileTypes: true }))
      .map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs),
  )

export const overlays: readonly Overlay[] = OVERLAYS

function isRecent(program: string, words: string[]): boolean {
  const { stdout } = spawnSync(program, words, { encoding: 'utf8' })
  const [, major, minor] =
    /^(?:Kustomize Version: )?v(\d+)\.(\d+)\./m.exec(stdout?.replace(/^Client.*\n/m, '') ?? '') ?? []
  return Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor)
}

function build(): Renderer | undefined {
  if (spawnSync('go', ['version']).status !== 0) return undefined
  mkdirSync(dirname(own), { recursive: true })
  const part = `${own}.${process.pid}`
  const words = ['build', '-trimpath', '-ldflags', '-s -w', '-o', part, 'sigs.k8s.io/kustomize/kustomize/v5']
  const { status } = spawnSync('go', words, {
    cwd: join(folder, 'kustomize'),
    env: { ...process.env, CGO_ENABLED: '0' },
  })
  if (status !== 0) return undefined
  renameSync(part, own)
  return [own, 'build']
}
