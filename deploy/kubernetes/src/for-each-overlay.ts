import { describe } from '@jest/globals'
import { findRenderer, type Overlay, overlays, render } from './kustomize.ts'
import type { Manifest } from './manifest.ts'

const renderer = findRenderer()

/** Runs tests over each overlay as it would be applied; where nothing can render one, they are skipped, and say why. */
export function forEachOverlay(title: string, tests: (manifests: readonly Manifest[], overlay: Overlay) => void): void {
  if (!renderer) {
    console.warn('NOT TESTED: the Kubernetes manifests. It takes kustomize or kubectl, or Go, on the PATH')
    describe.skip(`${title} (needs kustomize, kubectl or Go)`, () => tests([], 'dev'))
    return
  }
  for (const overlay of overlays) describe(`${title}: ${overlay}`, () => tests(render(renderer, overlay), overlay))
}

/** Those of a kind. */
export const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind)

/** That one object. */
export function find(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)
  if (!found) throw new Error(`there is no ${kind} ${name}`)
  return found
}
