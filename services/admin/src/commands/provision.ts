import { admin } from '../service.ts'

await admin.provision()
