// Writes the alerts of deploy/observability/alerts.yml as the object that the Prometheus Operator takes, after each change
// of them:
//   node --conditions=source deploy/kubernetes/src/write-rules.ts
import { writeFileSync } from 'node:fs'
import { alertRules, rulesFile } from './alert-rules.ts'

writeFileSync(rulesFile, alertRules())
