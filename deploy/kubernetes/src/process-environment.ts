import { find } from './for-each-overlay.ts'
import type { Container, Manifest } from './manifest.ts'

/** What deploy/images puts into every image. */
const OF_THE_IMAGE = { NODE_ENV: 'production', HOST: '0.0.0.0' }

/** What a container finds in its environment; `secret` answers what a Secret would hold. */
export function environmentOf(
  manifests: readonly Manifest[],
  { envFrom = [], env = [] }: Container,
  secret: (name: string, key: string, optional: boolean) => string | undefined,
): Record<string, string> {
  const maps = envFrom.map(({ configMapRef }) => find(manifests, 'ConfigMap', configMapRef?.name ?? '').data ?? {})
  const own = env.map(({ name, value, valueFrom }): [string, string | undefined] => {
    const { secretKeyRef: asked, fieldRef } = valueFrom ?? {}
    return [name, asked ? secret(asked.name, asked.key, asked.optional ?? false) : (value ?? fieldRef?.fieldPath)]
  })
  return {
    ...OF_THE_IMAGE,
    ...Object.assign({}, ...maps),
    ...Object.fromEntries(own.filter(([, value]) => value !== undefined)),
  }
}
