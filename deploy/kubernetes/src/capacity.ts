// Prints what docs/deploy/capacity.md says of so many orders a second, out of what was measured:
//   node --conditions=source deploy/kubernetes/src/capacity.ts
import { capacityTable } from './capacity-table.ts'

console.log(capacityTable())
