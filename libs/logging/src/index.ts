export { createLogger, createRecordLogger, type Logger } from './create-logger.ts'
export { withLogFields } from './log-fields.ts'
