import type { Labels, Manifest, Rule, Selector } from './manifest.ts'

/** Whether a selector takes what bears these labels. */
export const isSelected = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values = [] }) => operator === 'In' && values.includes(labels[key] ?? ''))

interface Pods {
  labels: Labels
  /** Numbers of its ports by their names. */
  ports: Readonly<Record<string, number>>
}

/** Whether the policies let a pod of one kind reach a port of another: both of them have to admit it. */
export function mayReach(policies: readonly Manifest[], from: Pods, to: Pods, port: string): boolean {
  const admits = (direction: 'ingress' | 'egress', whose: Pods, other: Pods): boolean =>
    policies
      .filter(({ spec }) => isSelected(spec?.podSelector ?? {}, whose.labels))
      .flatMap(({ spec }) => spec?.[direction] ?? [])
      .some((rule) => isOf(rule[direction === 'ingress' ? 'from' : 'to'], other) && isAt(rule, to, port))
  return admits('egress', from, to) && admits('ingress', to, from)
}

const isOf = (parties: Rule['from'], pods: Pods): boolean =>
  parties === undefined ||
  parties.some(
    ({ podSelector, namespaceSelector }) => podSelector && !namespaceSelector && isSelected(podSelector, pods.labels),
  )

const isAt = ({ ports }: Rule, { ports: known }: Pods, port: string): boolean =>
  ports === undefined ||
  ports.some((one) => (typeof one.port === 'number' ? one.port === known[port] : one.port === port))
