export { normalizePhone } from './normalize-phone.ts'
