export type { Running } from './assemble.ts'
export { type DefinedService, defineService } from './define-service.ts'
export type { Base, Peer } from './definition.ts'
export { merchantsLearned } from './merchants-learned-sql.ts'
