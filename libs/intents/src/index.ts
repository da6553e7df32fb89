export { type BegunIntent, beginIntent } from './begin-intent.ts'
export { endIntent } from './end-intent.ts'
export { type Intent, type IntentCall, intentWorker } from './intent-worker.ts'
export { type NewIntent, openIntent } from './open-intent.ts'
