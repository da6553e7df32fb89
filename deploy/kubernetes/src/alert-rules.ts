import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const rulesFile = join(import.meta.dirname, '../components/prometheus/rules.yaml')

/** The alerts as a PrometheusRule: their text, moved to where it belongs there. */
export function alertRules(): string {
  const alerts = readFileSync(join(import.meta.dirname, '../../observability/alerts.yml'), 'utf8')
  const groups = alerts.slice(alerts.indexOf('groups:')).replace(/^(?=.)/gm, '  ')
  return `# Written by deploy/kubernetes/src/write-rules.ts out of deploy/observability/alerts.yml: change that.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: alerts
spec:
${groups}`
}
