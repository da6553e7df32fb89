import { dispatch } from '../service.ts'

await dispatch.provision()
