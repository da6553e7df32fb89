export { opsServer } from './ops-server.ts'
export type { Part } from './part.ts'
export { run } from './run.ts'
export { type Check, composeService, type Readiness, type Service } from './service.ts'
