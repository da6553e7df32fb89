import { webhook } from '../service.ts'

await webhook.provision()
