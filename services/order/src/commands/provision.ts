import { order } from '../service.ts'

await order.provision()
