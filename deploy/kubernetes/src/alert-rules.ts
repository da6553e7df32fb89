import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Manifest } from './manifest.ts'

const folder = join(import.meta.dirname, '../../observability')
const read = (file: string) => parse(readFileSync(join(folder, file), 'utf8'))

/** The rules that deploy/observability/prometheus.yml lists, as the object that the Prometheus Operator takes. */
export function alertRules(): Manifest {
  const files: string[] = read('prometheus.yml').rule_files
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'alerts', namespace: 'delivery-dispatch' },
    spec: { groups: files.flatMap((file) => read(file).groups) },
  }
}
