/** An object as it would be applied: the parts of it that somebody here looks at. What form it has is the schemas' matter. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Labels }
  data?: Readonly<Record<string, string>>
  spec?: Spec
}

export type Labels = Readonly<Record<string, string>>

export interface Selector {
  matchLabels?: Labels
  matchExpressions?: ReadonlyArray<{ key: string; operator: string; values?: readonly string[] }>
}

/** Of all kinds together. */
export interface Spec {
  selector?: unknown
  podSelector?: Selector
  template?: { metadata: { labels: Labels }; spec: PodSpec }
  clusterIP?: string
  publishNotReadyAddresses?: boolean
  ports?: ReadonlyArray<{ name: string; port: number; targetPort: string }>
  minReplicas?: number
  maxReplicas?: number
  replicas?: number
  scaleTargetRef?: { kind: string; name: string }
  ingress?: readonly Rule[]
  egress?: readonly Rule[]
  endpoints?: ReadonlyArray<{ port: string; path: string }>
  groups?: unknown
  secretName?: string
  dnsNames?: readonly string[]
  target?: { name: string }
}

export interface Rule {
  from?: readonly Party[]
  to?: readonly Party[]
  ports?: ReadonlyArray<{ port: number | string; protocol?: string }>
}

interface Party {
  podSelector?: Selector
  namespaceSelector?: Selector
  ipBlock?: { cidr: string }
}

export interface PodSpec {
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  enableServiceLinks?: boolean
  terminationGracePeriodSeconds?: number
  containers: readonly Container[]
  initContainers?: readonly Container[]
  volumes?: ReadonlyArray<{ name: string; secret?: { secretName: string }; configMap?: { name: string } }>
  topologySpreadConstraints?: ReadonlyArray<{ labelSelector: Selector }>
}

export interface Container {
  name: string
  image: string
  args?: readonly string[]
  env?: ReadonlyArray<{
    name: string
    value?: string
    valueFrom?: {
      secretKeyRef?: { name: string; key: string; optional?: boolean }
      fieldRef?: { fieldPath: string }
    }
  }>
  envFrom?: ReadonlyArray<{ configMapRef?: { name: string }; secretRef?: { name: string } }>
  ports?: ReadonlyArray<{ name: string; containerPort: number }>
  startupProbe?: Probe
  readinessProbe?: Probe
  livenessProbe?: Probe
  volumeMounts?: ReadonlyArray<{ name: string; mountPath: string }>
  resources?: { requests?: Labels; limits?: Labels }
}

export interface Probe {
  httpGet?: { path: string; port: string }
}
