import { ingestion } from './service.ts'

await ingestion.main()
