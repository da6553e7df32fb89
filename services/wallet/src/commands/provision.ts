import { wallet } from '../service.ts'

await wallet.provision()
