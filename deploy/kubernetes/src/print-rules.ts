// Prints the alerts for a cluster with the Prometheus Operator:
//   node --conditions=source deploy/kubernetes/src/print-rules.ts | kubectl apply -f -
import { stringify } from 'yaml'
import { alertRules } from './alert-rules.ts'

console.log(stringify(alertRules()))
