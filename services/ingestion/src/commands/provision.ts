import { ingestion } from '../service.ts'

await ingestion.provision()
