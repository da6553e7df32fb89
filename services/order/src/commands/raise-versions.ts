import { order } from '../service.ts'

await order.raiseVersions()
