export { type Outcome, outcomeOf } from './outcome.ts'
export { type ErrorDetails, type FieldFault, refuseFaults, ServiceError, validationError } from './service-error.ts'
export { ERRORS, type ErrorCode } from './table.ts'
