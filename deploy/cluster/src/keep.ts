// Runs in a cluster that is kept: until it is ended from outside.
import { setTimeout as wait } from 'node:timers/promises'

const DAY_MS = 86_400_000
console.log(`It is there until Ctrl-C. In it, from another terminal:
  npm run test:cluster -- enter kubectl get pods --all-namespaces
  npm run test:cluster -- enter npm run test:cluster`)
for (;;) await wait(DAY_MS)
