export { BlockedAddressError, guardedAgent, type Resolve, resolvePublicName } from './guarded-agent.ts'
